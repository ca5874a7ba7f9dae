import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../basics/free-port.mjs';
import { PATIENCE } from '../basics/patience.mjs';
import { within } from '../basics/wait-for.js';
import { fullHostFolder, queueKind } from '../jest/test-environment.js';
import type { Answer, RequestOptions } from '../requests/http-request.js';
import { emptyDatabase } from '../servers/postgres.js';
import { freshRedisDatabase } from '../servers/redis.js';
import type { SmtpSink } from '../servers/smtp/smtp-sink.js';
import { type HostEnvironment, type HostProcess, spawnProgram } from './host-process.js';
import { RunningHost } from './running-host.js';

/** `test/hosts/full`, made from the packed package. */
export class FullHost extends RunningHost {
  protected override readonly readyPath = '/topics?limit=1';
  /** Account of the token. */
  accountId = '';

  /** Migrates a database, creates an account and starts; it is stopped after the test file. */
  static async start(sink: SmtpSink, further: HostEnvironment = {}): Promise<FullHost> {
    const [port, database] = await Promise.all([freePort(), emptyDatabase()]);
    const redisUrl = queueKind() === 'redis' ? await freshRedisDatabase() : undefined;
    const env = {
      PORT: String(port),
      DATABASE_URL: database.url,
      SMTP_URL: sink.url,
      ...(redisUrl && { REDIS_URL: redisUrl }),
      ...further,
    };
    await runToEnd(env, 'migrate');
    const { accountId, token } = JSON.parse(
      await runToEnd(env, 'account', `account ${randomBytes(4).toString('hex')}`),
    );
    const host = new FullHost(`http://127.0.0.1:${port}/mail`, token, database, redisUrl, env);
    host.accountId = accountId;
    await host.start();
    return host;
  }

  /** Names the user, like a proxy in front of a backend. */
  override request<T = Record<string, unknown>>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    return super.request(method, path, { ...options, headers: { 'x-user': 'jane', ...options.headers } });
  }

  protected override launch(): HostProcess {
    return spawnProgram(program('main'), [], this.env);
  }
}

function program(name: string): string {
  return join(fullHostFolder(), `dist/${name}.js`);
}

/** Output of the program on stdout. */
async function runToEnd(env: HostEnvironment, name: string, ...args: string[]): Promise<string> {
  const started = spawnProgram(program(name), args, env);
  const code = await within(started.exited, PATIENCE, `${name}.js`);
  if (code !== 0) throw new Error(`${name}.js ended with ${code}:\n${started.output}`);
  return started.stdout;
}
