import { queryJoined } from './query-joined.js';
import type { Transaction } from './sql-transaction.js';

/** A transaction of another library that fails statements with this word with this SQLSTATE. */
function plain(word?: string, code?: string) {
  const asked: string[] = [];
  const query = async (sql: string) => {
    asked.push(sql);
    if (word !== undefined && sql.startsWith(word)) throw Object.assign(new Error(`${sql} failed`), { code });
    return { rows: [{ sql }] };
  };
  return { asked, query };
}

function runner(isTransactionActive: boolean) {
  const asked: string[] = [];
  const query = async (sql: string) => {
    asked.push(sql);
    return { records: [{ sql }] };
  };
  return { asked, query, isTransactionActive };
}

const managerOf = (queryRunner?: object) => ({ getRepository: () => {}, query: () => {}, queryRunner });
const run = (transaction: object) => queryJoined(transaction as Transaction, 'INSERT', []);

describe('queryJoined', () => {
  it('runs the statement alone where TypeORM knows of the transaction', async () => {
    const open = runner(true);
    expect([await run(open), await run(managerOf(open))]).toEqual([[{ sql: 'INSERT' }], [{ sql: 'INSERT' }]]);
    expect(open.asked).toEqual(['INSERT', 'INSERT']);
  });

  it('runs it at a savepoint of another library', async () => {
    const open = plain();
    await expect(run(open)).resolves.toEqual([{ sql: 'INSERT' }]);
    expect(open.asked).toEqual(['SAVEPOINT nestjs_emails', 'INSERT', 'RELEASE SAVEPOINT nestjs_emails']);
  });

  it('refuses what has no open transaction, with nothing run', async () => {
    const [idle, pool] = [runner(false), plain('SAVEPOINT', '25P01')];
    for (const closed of [managerOf(), idle, managerOf(idle), pool]) {
      await expect(run(closed)).rejects.toThrow('`transaction` is not open');
    }
    expect([...idle.asked, ...pool.asked]).not.toContain('INSERT');
    await expect(run({})).rejects.toThrow('`transaction` must be an EntityManager');
  });

  it('passes on any other failure', async () => {
    await expect(run(plain('SAVEPOINT', '25P02'))).rejects.toMatchObject({ code: '25P02' });
    await expect(run(plain('INSERT', '23505'))).rejects.toMatchObject({ code: '23505' });
  });
});
