import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterFile } from '../support/basics/cleanup.js';
import { eventually, until, within } from '../support/basics/wait-for.js';
import { queueKind } from '../support/jest/test-environment.js';
import { emptyDatabase } from '../support/servers/postgres.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';

describe('the TCP proxy', () => {
  let echo: Server;
  let proxy: TcpProxy;

  beforeAll(async () => {
    echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
    afterFile(() => echo.close());
    await once(echo, 'listening');
    proxy = await TcpProxy.start('127.0.0.1', (echo.address() as AddressInfo).port);
  });

  async function open(): Promise<Socket> {
    const socket = connect(proxy.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  async function roundTrip(socket: Socket, text: string): Promise<string> {
    const answer = once(socket, 'data');
    socket.write(text);
    return String((await answer)[0]);
  }

  it('forwards bytes in both directions', async () => {
    const socket = await open();
    expect(await roundTrip(socket, 'one')).toBe('one');
    expect(await roundTrip(socket, 'two')).toBe('two');
    socket.end();
    await once(socket, 'close');
  });

  it('cuts open connections and serves new ones', async () => {
    const socket = await open();
    await roundTrip(socket, 'one');
    const failure = once(socket, 'close').catch((error: unknown) => error);
    proxy.cut();
    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
    const next = await open();
    expect(await roundTrip(next, 'two')).toBe('two');
    next.destroy();
  });

  it('refuses until it is restored, on the same port', async () => {
    const socket = await open();
    await roundTrip(socket, 'one');
    const { port } = proxy;
    const failure = once(socket, 'close').catch((error: unknown) => error);
    await proxy.refuse();
    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await proxy.restore();
    expect(proxy.port).toBe(port);
    const next = await open();
    expect(await roundTrip(next, 'two')).toBe('two');
    next.destroy();
  });

  it('routes a URL through itself', () => {
    expect(proxy.through('postgres://u:p@db.test:5432/name?x=1')).toBe(
      `postgres://u:p@127.0.0.1:${proxy.port}/name?x=1`,
    );
  });
});

describe('waiting', () => {
  it('repeats until nothing is thrown, and returns the value', async () => {
    let calls = 0;
    const value = await eventually(() => {
      calls += 1;
      expect(calls).toBe(3);
      return 'done';
    });
    expect(value).toBe('done');
  });

  it('ends with the last error', async () => {
    await expect(eventually(() => Promise.reject(new Error('no')), { timeout: 60 })).rejects.toThrow('no');
    await expect(until(() => 0, { timeout: 60, what: 'a row' })).rejects.toThrow('Timed out waiting for a row.');
    await expect(within(new Promise(() => {}), 20, 'The end')).rejects.toThrow('The end took longer than 20 ms.');
  });
});

describe('the database of a test', () => {
  it('is separate', async () => {
    const [one, two] = await Promise.all([emptyDatabase(), emptyDatabase()]);
    await one.query('CREATE TABLE t (n int)');
    await one.query('INSERT INTO t VALUES ($1)', [7]);
    expect(await one.query('SELECT n FROM t')).toEqual([{ n: 7 }]);
    await expect(two.query('SELECT n FROM t')).rejects.toMatchObject({ code: '42P01' });
  });
});

it('runs the suites that need no queue on one kind only', () => {
  expect(queueKind()).toBe('postgres');
});
