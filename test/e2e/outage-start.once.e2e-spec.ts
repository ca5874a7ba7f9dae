import { type PostgresExchange, postgresTap } from '../faults/wire/postgres-tap.js';
import { prepareHost } from '../support/hosts/host.js';
import { fromTestRun } from '../support/jest/test-environment.js';
import { freshDatabase } from '../support/servers/postgres.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';

const looksAtTables = ({ queue, sql }: PostgresExchange) => queue && sql.includes('min_client_version');

// A queue looks at its tables, and a worker does.
describe.each(['api', 'worker'] as const)(
  'PostgreSQL that goes while the queue of ROLE=%s looks at its tables',
  (role) => {
    it('ends the start, which says so: nothing would be waked in this process, however soon the database was back', async () => {
      const database = await freshDatabase();
      const server = Number(new URL(fromTestRun('TEST_DATABASE_URL')).port);
      const proxy = await TcpProxy.start('127.0.0.1', server, postgresTap);
      const host = await prepareHost({ role, env: { DATABASE_URL: proxy.through(database.url) } });
      const other = role === 'api' ? [] : [proxy.trap('answer', looksAtTables, { hold: false }).sprung];
      const ended = host.runToEnd();
      await Promise.all(other);
      const trap = proxy.trap('answer', looksAtTables);
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
