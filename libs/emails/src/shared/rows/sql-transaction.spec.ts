import { type SqlTransaction, sqlOf } from './sql-transaction.js';

const answering = (answer: unknown) => sqlOf({ query: async () => answer } as unknown as SqlTransaction);
const failing = (error: unknown) => sqlOf({ query: () => Promise.reject(error) });
const failure = (error: unknown) =>
  failing(error)
    .query('', [])
    .catch((thrown) => thrown);

describe('sqlOf', () => {
  it.each([
    ['nothing', null],
    ['text', 'BEGIN'],
    ['an object without `query`', { raw: async () => ({ rows: [] }) }],
    ['an object whose `query` is not a function, as in Drizzle', { query: { users: {} } }],
    ['a manager of MikroORM', { getRepository: () => ({}) }],
  ])('refuses %s, and names a valid value', (_, wrong) => {
    expect(() => sqlOf(wrong as never)).toThrow('`transaction` must be an EntityManager or a QueryRunner of TypeORM');
  });

  it.each([
    ['nothing', undefined],
    ['rows alone', [{ a: 1 }]],
    ['rows that are lists', { rows: [[1]] }],
    ['rows without a list', { rows: 1 }],
  ])('refuses a `query` that answers %s', async (_, answer) => {
    await expect(answering(answer).query('', [])).rejects.toThrow('`transaction.query` must resolve to `{ rows }`');
  });

  it('gets rows from a query runner for every command', async () => {
    const runner = {
      isTransactionActive: true,
      query: async (sql: string, parameters: unknown[], isStructured: boolean) =>
        isStructured ? { records: [{ sql, parameters }] } : [[], 1],
    };
    const asked = [{ sql: 'DELETE', parameters: [1] }];
    await expect(sqlOf(runner as never).query('DELETE', [1])).resolves.toEqual({ rows: asked });
    const manager = { getRepository: () => {}, query: () => {}, queryRunner: runner };
    await expect(sqlOf(manager as never).query('DELETE', [1])).resolves.toEqual({ rows: asked });
  });

  it.each([
    ['cause', { cause: { code: '23505', message: 'taken' } }],
    ['cause of a cause', { cause: { cause: { code: '23505', message: 'taken' } } }],
    [
      'cause of a driver adapter of Prisma',
      { code: 'P2010', meta: { driverAdapterError: { cause: { originalCode: '23505', originalMessage: 'taken' } } } },
    ],
  ])("finds the SQLSTATE in an error's %s, and leaves out statements and values", async (_, wrapped) => {
    const error = Object.assign(new Error('Failed query: … params: secret'), wrapped);
    const thrown = await failure(error);
    expect(thrown).toMatchObject({ code: '23505', message: 'taken', cause: error });
  });

  it.each([
    Object.assign(new Error('taken'), { code: '23505' }),
    Object.assign(new Error('broken pipe'), { code: 'EPIPE' }),
    Object.assign(new Error('Prisma'), { code: 'P2028' }),
    undefined,
  ])('keeps an error with its own code, or without one: %s', async (error) => {
    expect(await failure(error)).toBe(error);
  });
});
