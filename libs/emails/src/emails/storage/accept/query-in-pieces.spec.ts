import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { serialize } from 'pg-protocol';
import { type Client, type QueryClass, queryInPieces } from './query-in-pieces.js';

type Callback = (error: Error | null, result?: unknown) => void;

/** Does what node-postgres does with a query, on the test's connection. */
class Query {
  submit: (connection: unknown) => void = () => {};
  readonly callback: Callback;
  constructor({ callback }: { callback: Callback }) {
    this.callback = callback;
  }
}

function clientOf(stream: Writable): { client: Client; answer: Callback } {
  let submitted: Query | undefined;
  const connection = {
    stream,
    parse: (statement: { text: string }) => void stream.write(serialize.parse(statement)),
    describe: (what: { type: 'P'; name: string }) => void stream.write(serialize.describe(what)),
    execute: (portal: { portal: string }) => void stream.write(serialize.execute(portal)),
    sync: () => void stream.write(serialize.sync()),
  };
  const query = (query: object) => {
    submitted = query as Query;
    submitted.submit(connection);
    return Promise.resolve() as Promise<never>;
  };
  return { client: { connection, query }, answer: (...outcome) => submitted?.callback(...outcome) };
}

const text = 'SELECT $1::json, $2, $3';
const PIECES = ['[1,', '"ü😀",', '', `"${'x'.repeat(300_000)}"]`].map((piece) => Buffer.from(piece));
const OTHERS = ['100ms', 'ä'];
const ask = (client: Client) =>
  queryInPieces(Query as unknown as QueryClass, client, { text, values: [PIECES, ...OTHERS] });

describe('queryInPieces', () => {
  it('sends the same bytes as node-postgres, and returns its answer', async () => {
    const stream = new PassThrough();
    const { client, answer } = clientOf(stream);
    const answered = ask(client);
    const whole = Buffer.concat([
      serialize.parse({ text }),
      serialize.bind({ values: [Buffer.concat(PIECES).toString(), ...OTHERS] }),
      serialize.describe({ type: 'P', name: '' }),
      serialize.execute({ portal: '' }),
      serialize.sync(),
    ]);
    let sent = Buffer.alloc(0);
    for await (const bytes of stream) {
      sent = Buffer.concat([sent, bytes]);
      if (sent.length >= whole.length) break;
    }
    expect(sent.equals(whole)).toBe(true);
    answer(null, { rows: [] });
    await expect(answered).resolves.toEqual({ rows: [] });
  });

  it('waits for a connection whose buffer is full', async () => {
    let written = 0;
    let takeMore = () => {};
    const stream = new Writable({
      highWaterMark: 1,
      write(bytes, _encoding, done) {
        written += bytes.length;
        takeMore = done;
      },
    });
    void ask(clientOf(stream).client);
    await nextTurn();
    expect(written + stream.writableLength).toBeLessThan(1_000);
    for (let round = 0; round < 20; round++) {
      const take = takeMore;
      takeMore = () => {};
      take();
      await nextTurn();
    }
    expect(written).toBeGreaterThan(300_000);
  });

  it.each([
    ['breaks', new Error('broken')],
    ['is closed', undefined],
  ])('leaves it to the client to report that a connection %s', async (_, error) => {
    const stream = new Writable({ highWaterMark: 1, write() {} }).on('error', () => {});
    const { client, answer } = clientOf(stream);
    const answered = ask(client);
    stream.destroy(error);
    await nextTurn();
    answer(new Error('Connection terminated unexpectedly'));
    await expect(answered).rejects.toThrow('terminated');
  });
});
