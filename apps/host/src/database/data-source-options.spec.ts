import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Pool } from 'pg';
import { dataSourceOptions } from './data-source-options.js';

/** PostgreSQL 18, section 54.7: AuthenticationOk, ReadyForQuery, and an ErrorResponse of a stopping server. */
const READY_AND_CLOSED = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0')),
]);

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

describe('a pool of the host', () => {
  it('survives a server that ends a connection in the same packet as its readiness', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(READY_AND_CLOSED)).on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connectionString = `postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/c`;
    const pool = new Pool({ connectionString, ...dataSourceOptions(connectionString).extra });
    const connection = await pool.connect();
    await expect(connection.query('SELECT 1')).rejects.toThrow();
    connection.release(true);
    await pool.end();
    await new Promise((closed) => server.close(closed));
  });
});
