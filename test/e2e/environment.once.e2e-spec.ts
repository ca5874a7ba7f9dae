import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { prepareHost } from '../support/hosts/host.js';
import type { HostEnvironment } from '../support/hosts/host-process.js';
import { nobodyLeftIn } from '../support/reading/processes.js';

const SECRET = 'hunter2-canary';

/** Returns the output of a start that must fail before any work. */
async function refusal(env: HostEnvironment): Promise<string> {
  const host = await prepareHost({ services: 'none', env });
  const { code, output } = await host.runToEnd();
  expect(code).toBe(1);
  expect(readdirSync(host.dataDir)).toEqual([]);
  return output;
}

describe('an invalid value stops the start with the name of the variable and a valid value', () => {
  it.each([
    ['PORT', 'http', /a port from 1 to 65535/],
    ['PORT', '70000', /a port from 1 to 65535/],
    ['PORT', '-1', /a port from 1 to 65535/],
    ['HOST', 'http://127.0.0.1', /an address or a host name/],
    ['DATABASE_URL', `mysql://me:${SECRET}@127.0.0.1/db`, /postgres:\/\//],
    ['DATABASE_URL', SECRET, /postgres:\/\//],
    ['REDIS_URL', `http://me:${SECRET}@127.0.0.1`, /redis:\/\//],
    ['SMTP_URL', `me:${SECRET}@127.0.0.1`, /smtp:\/\//],
    ['SMTP_HOP', 'last', /final or relay/],
    ['SMTP_HOP', 'final,relay', /one value for all servers at SMTP_URL, or 1: it has 2/],
    ['SMTP_URL', 'smtp://127.0.0.1:25,smtp://127.0.0.1:25', /must be different servers/],
    ['ROLE', 'boss', /all, api, worker/],
    ['BOOTSTRAP_API_KEY', 'hunter2', /8 to 256 characters/],
    ['BOOTSTRAP_API_KEY', `${SECRET} with spaces`, /8 to 256 characters/],
    ['LOG_LEVEL', 'loud', /info/],
    ['RATE_LIMIT', '0', /whole number/],
    ['RATE_LIMIT', 'many', /whole number/],
    ['RETRY_SCHEDULE', '1m,5 parsecs', /1m,5m,15m/],
    ['SWEEP_INTERVAL', '3', /3s/],
    ['DRAIN_DELAY', '3', /3s/],
    ['REQUIRE_CONTENT', 'yes', /true or false/],
    ['ADMIN_TOKEN', 'hunter2', /24 to 256 characters/],
    ['QUEUE_SHARDS', '0', /from 1 to 64/],
    ['SECRET_KEY', SECRET, /32 to 256 printable characters/],
    ['WEBHOOK_ALLOW_PRIVATE', '10.0.0.0', /blocks of addresses such as 10\.0\.0\.0\/8 or fd00::\/8/],
    ['PUBLIC_URL', `https://me:${SECRET}@mail.example.com`, /https:\/\/mail\.example\.com, without credentials/],
  ])('%s=%s', async (name, value, expected) => {
    const output = await refusal({ [name]: value });
    expect(output).toMatch(expected);
    expect(output.split('\n').filter((line) => line.startsWith(`  ${name} must be`))).toHaveLength(1);
    expect(output).not.toContain(SECRET);
    expect(output).not.toContain('hunter2');
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('and reports all problems at once', async () => {
    const output = await refusal({ PORT: 'x', ROLE: 'y', SMTP_HOP: 'z' });
    for (const name of ['PORT', 'ROLE', 'SMTP_HOP']) expect(output).toContain(`${name} must be`);
  });

  it.each(['api', 'worker'])('ROLE=%s needs a DATABASE_URL that it can share', async (role) => {
    expect(await refusal({ ROLE: role })).toMatch(/DATABASE_URL is missing/);
  });

  it('an empty value counts as unset', async () => {
    const output = await refusal({ PORT: 'x', ROLE: '', SMTP_HOP: '', REDIS_URL: '', LOG_LEVEL: '' });
    expect(output.match(/must be/g)).toHaveLength(1);
  });
});

describe('a valid but unusable value stops the start too', () => {
  it('PORT in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const host = await prepareHost({ services: 'none', env: { PORT: String(port) } });
      const { code, output } = await host.runToEnd();
      expect(code).toBe(1);
      expect(output).toContain(`PORT: ${port} is in use`);
      await nobodyLeftIn(host.dataDir);
    } finally {
      server.close();
    }
  });

  it('HOST that this machine does not have', async () => {
    const host = await prepareHost({ env: { HOST: '192.0.2.1' } });
    const { code, output } = await host.runToEnd();
    expect(code).toBe(1);
    expect(output).toContain('HOST: this machine does not have the address 192.0.2.1');
  });

  it.each([
    ['nothing listens', (url: URL) => (url.port = '1'), /DATABASE_URL: PostgreSQL cannot be used: nothing answers/],
    ['the password is wrong', (url: URL) => (url.password = SECRET), /refused the user or the password/],
    ['there is no such database', (url: URL) => (url.pathname = '/nowhere'), /the database does not exist/],
  ])('DATABASE_URL where %s', async (_, spoil, expected) => {
    const { databaseUrl } = await prepareHost();
    const url = new URL(databaseUrl);
    const { password } = url;
    spoil(url);
    const host = await prepareHost({ env: { DATABASE_URL: url.href } });
    const { code, output } = await host.runToEnd();
    expect(code).toBe(1);
    expect(output).toMatch(expected);
    expect(output).not.toContain(SECRET);
    expect(output).not.toContain(password);
  });

  it('DATABASE_URL of something that is not PostgreSQL', async () => {
    const server = createServer((socket) => socket.end('220 smtp.test\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const host = await prepareHost({ env: { DATABASE_URL: `postgres://me:${SECRET}@127.0.0.1:${port}/db` } });
      const { code, output } = await host.runToEnd();
      expect(code).toBe(1);
      expect(output).toContain('DATABASE_URL: PostgreSQL cannot be used');
      expect(output).not.toContain(SECRET);
    } finally {
      server.close();
    }
  });
});
