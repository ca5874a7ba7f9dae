import type { DataSource } from 'typeorm';
import type { SqlTransaction } from '../../../shared/rows/sql-transaction.js';
import { Transactions } from './transactions.js';

const OURS = 'a 1';

/** A transaction whose database has this name, or that fails with this SQLSTATE. */
function sql({ database = OURS, fails = (_: string) => undefined as string | undefined } = {}) {
  const asked: string[] = [];
  const query = async (text: string) => {
    const word = text.trim().split(' ')[0] ?? '';
    asked.push(word);
    const code = fails(word);
    if (code) throw Object.assign(new Error(`It failed with ${code}.`), { code });
    return { rows: word === 'SELECT' ? [{ database }] : [] };
  };
  return { asked, query };
}

function source(query: () => Promise<object[]> = async () => [{ database: OURS }], type = 'postgres') {
  return { manager: { getRepository: () => {}, query }, options: { type } } as unknown as DataSource;
}

function runner(connection: DataSource, isTransactionActive = true, database = OURS) {
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text.trim().split(' ')[0] ?? '');
    return { records: [{ database }] };
  };
  return { asked, query, connection, isTransactionActive };
}

const managerOf = (queryRunner?: object) => ({ getRepository: () => {}, query: () => {}, queryRunner }) as never;
const join = (transaction: object, ours = source()) => new Transactions(ours).join(transaction as SqlTransaction);

describe('Transactions', () => {
  it('sends no query in a transaction of its own data source, and returns its runner', async () => {
    const ours = source();
    const own = runner(ours);
    expect((await join(own, ours)).runner).toBe(own);
    expect((await join(managerOf(own), ours)).runner).toBe(own);
    expect(own.asked).toEqual([]);
  });

  it('refuses a manager and a runner without a transaction', async () => {
    const ours = source();
    for (const idle of [managerOf(), runner(ours, false), managerOf(runner(ours, false))]) {
      await expect(join(idle, ours)).rejects.toThrow('`transaction` is not open');
    }
  });

  it('asks another data source once, and again after a failure', async () => {
    const transactions = new Transactions(source());
    const other = source();
    const failing = { ...runner(other), query: () => Promise.reject(new Error('lost')) };
    await expect(transactions.join(failing as never)).rejects.toThrow('lost');
    const [first, second] = [runner(other), runner(other)];
    await transactions.join(first as never);
    await transactions.join(second as never);
    expect([first.asked, second.asked]).toEqual([['SAVEPOINT', 'SELECT', 'RELEASE'], []]);
  });

  it.each([
    ['another database of TypeORM', runner(source(), true, 'b 1')],
    ['no PostgreSQL', runner(source(undefined, 'mysql'))],
    ['another database', sql({ database: 'b 1' })],
    ['a copy on the same server', sql({ database: 'a 2' })],
    ['a database without the table', sql({ fails: (word) => (word === 'SELECT' ? '42P01' : undefined) })],
  ])('refuses a transaction on %s', async (_, other) => {
    await expect(join(other)).rejects.toThrow('`transaction` is of another database');
  });

  it('says of a role without rights that it lacks them', async () => {
    const other = sql({ fails: (word) => (word === 'SELECT' ? '42501' : undefined) });
    await expect(join(other)).rejects.toMatchObject({
      message: expect.stringContaining('The role of `transaction` lacks rights on the schema `nestjs_emails`'),
      cause: { code: '42501' },
    });
  });

  it('asks for its own database at the start, when the caller cannot have the last connection', async () => {
    for (const isInitialized of [true, false]) {
      let asked = 0;
      const ours = { ...source(async () => [{ database: OURS, asked: ++asked }]), isInitialized } as DataSource;
      const transactions = new Transactions(ours);
      await transactions.onModuleInit();
      const atStart = asked;
      await transactions.join(sql());
      expect([atStart, asked]).toEqual([isInitialized ? 1 : 0, 1]);
    }
  });

  it('goes back to where the transaction was', async () => {
    const other = sql({ fails: (word) => (word === 'SELECT' ? '3F000' : undefined) });
    await expect(join(other)).rejects.toThrow();
    expect(other.asked).toEqual(['SAVEPOINT', 'SELECT', 'ROLLBACK', 'RELEASE']);
  });

  it('checks each time whether a transaction of another library is open, since its object may outlive it', async () => {
    const transactions = new Transactions(source());
    const open = sql();
    for (let time = 0; time < 2; time++) expect((await transactions.join(open)).runner).toBeUndefined();
    expect(open.asked).toEqual(['SAVEPOINT', 'SELECT', 'RELEASE', 'SAVEPOINT', 'SELECT', 'RELEASE']);
    await expect(join(sql({ fails: () => '25P01' }))).rejects.toThrow('`transaction` is not open');
  });

  it('asks its own database for its identity once, and again after a failure', async () => {
    let asked = 0;
    const ours = source(async () => {
      asked++;
      if (asked === 1) throw new Error('away');
      return [{ database: OURS }];
    });
    const transactions = new Transactions(ours);
    await expect(transactions.join(sql())).rejects.toThrow('away');
    await transactions.join(sql());
    await transactions.join(sql());
    expect(asked).toBe(2);
  });

  it.each(['25P02', '57P01'])('passes on any other failure: %s', async (code) => {
    await expect(join(sql({ fails: () => code }))).rejects.toMatchObject({ code });
  });
});
