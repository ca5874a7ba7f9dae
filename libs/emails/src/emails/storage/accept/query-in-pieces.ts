import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A statement whose first value is long, given as pieces of its text. */
export interface LongStatement {
  text: string;
  values: readonly [readonly Buffer[], ...string[]];
}

/** The parts of a node-postgres client that are used. A client of `pg-native` has no `connection`. */
export interface Client {
  connection?: Connection;
  query<Answer>(query: object): Promise<Answer>;
}

interface Connection {
  stream: Writable;
  parse(statement: { text: string }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
  sync(): void;
}

/** The query class of node-postgres. */
export type QueryClass = new (config: {
  text: string;
  callback: (error: Error | null, result: unknown) => void;
}) => { submit: (connection: Connection) => void };

/**
 * Runs a statement and writes its long value piece by piece, as fast as the connection accepts them. node-postgres
 * copies all values into one message, which takes 3 to 5 ms of the event loop for each megabyte, and the same memory
 * again.
 */
export function queryInPieces<Result>(
  Query: QueryClass,
  client: Client,
  { text, values }: LongStatement,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const query = new Query({ text, callback: (error, result) => (error ? reject(error) : resolve(result as Result)) });
    query.submit = (connection) => {
      connection.parse({ text });
      // The client reports a broken connection to the query.
      writeBind(connection.stream, values).then(
        () => {
          connection.describe({ type: 'P', name: '' });
          connection.execute({ portal: '' });
          connection.sync();
        },
        () => {},
      );
    };
    void client.query(query);
  });
}

/** The message `Bind`, with the values as text (PostgreSQL: Frontend/Backend Protocol, Message Formats). */
async function writeBind(stream: Writable, [pieces, ...others]: LongStatement['values']): Promise<void> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const formats = Array.from({ length: 1 + others.length }, () => TEXT);
  const portalAndStatement = Buffer.from('\0\0');
  const before = Buffer.concat([portalAndStatement, ...list(formats), int16(formats.length), int32(size)]);
  const after = Buffer.concat([...others.map(withLength), ...list([TEXT])]);
  const head = Buffer.concat([Buffer.from('B'), int32(4 + before.length + size + after.length), before]);
  for (const piece of [head, ...pieces, after]) {
    if (!stream.write(piece)) await once(stream, 'drain');
  }
}

/** Format code of a text value. */
const TEXT = 0;

function list(values: readonly number[]): Buffer[] {
  return [values.length, ...values].map(int16);
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([int32(bytes.length), bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
