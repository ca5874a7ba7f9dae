import { type PostgresExchange, postgresTap } from '../faults/wire/postgres-tap.js';
import { prepareHost } from '../support/hosts/host.js';
import { fromTestRun } from '../support/jest/test-environment.js';
import { freshDatabase } from '../support/servers/postgres.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';

/** The nth check of the queue's tables by a process. */
function nthLook(count: number) {
  let seen = 0;
  return ({ queue, sql }: PostgresExchange) => queue && sql.includes('min_client_version') && ++seen === count;
}

// A queue checks its tables, and so does a worker.
describe.each(['api', 'worker'] as const)(
  'PostgreSQL that goes away while the queue of ROLE=%s checks its tables',
  (role) => {
    it('ends the start with a message: nothing would wake this process, even once the database is back', async () => {
      const database = await freshDatabase();
      const server = Number(new URL(fromTestRun('TEST_DATABASE_URL')).port);
      const proxy = await TcpProxy.start('127.0.0.1', server, postgresTap);
      // Only the queue's connections are cut, since a failure of another service would end the start too.
      const env = { DATABASE_URL: database.url, DIRECT_DATABASE_URL: proxy.through(database.url) };
      const host = await prepareHost({ role, env });
      const trap = proxy.trap('answer', nthLook(role === 'api' ? 1 : 2));
      const ended = host.runToEnd();
      await trap.sprung;
      proxy.cut();
      trap.release();
      const { code, output } = await ended;
      expect(code).toBe(1);
      expect(output).toContain('the PostgreSQL of its queues cannot be reached');
      expect(output).not.toContain('nobody expected');
    });
  },
);
