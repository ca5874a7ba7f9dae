import { once } from 'node:events';
import { createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { LargeAnswers } from './large-answers.js';

const REAL = ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] as const;

describe('LargeAnswers', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => server.close());

  afterEach(() => jest.useRealTimers());

  /** An answer that has not begun, and its client's way to leave. */
  async function asked(): Promise<{ response: ServerResponse; leave: () => Promise<unknown> }> {
    const { port } = server.address() as AddressInfo;
    const client = get({ port, host: '127.0.0.1', agent: false }).on('error', () => {});
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    const leave = () => {
      const closed = once(response, 'close');
      client.destroy();
      return closed;
    };
    return { response, leave };
  }

  /** Whether memory for a whole answer is free. */
  async function isFree(answers: LargeAnswers): Promise<boolean> {
    const { response } = await asked();
    let isMade = false;
    answers.makeRoom(100, 'other', response).then(
      () => {
        isMade = true;
        response.end();
      },
      () => {},
    );
    await new Promise(setImmediate);
    return isMade;
  }

  it('refuses a client that left while it waited, and keeps no memory for it', async () => {
    const answers = new LargeAnswers(100);
    const [first, second] = [await asked(), await asked()];
    await answers.makeRoom(100, 'one', first.response);
    const waits = expect(answers.makeRoom(100, 'two', second.response)).rejects.toMatchObject({ statusCode: 503 });
    await second.leave();
    first.response.end('answer');
    await waits;
    expect(await isFree(answers)).toBe(true);
  });

  it('keeps the memory for five seconds when the client leaves before the answer begins', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const answers = new LargeAnswers(100);
    const { response, leave } = await asked();
    await answers.makeRoom(100, 'one', response);
    await leave();
    expect(await isFree(answers)).toBe(false);
    jest.advanceTimersByTime(5_000);
    expect(await isFree(answers)).toBe(true);
  });

  it('keeps the memory of content that is being made, and takes its time for no pause of the client', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const answers = new LargeAnswers(100);
    const [one, two] = [await asked(), await asked()];
    let finish = (_: string) => {};
    const made = answers.make(
      { bytes: 100, account: 'one', response: one.response },
      () =>
        new Promise<string>((resolve) => {
          finish = resolve;
        }),
    );
    await new Promise(setImmediate);
    let isNext = false;
    const next = answers.makeRoom(100, 'two', two.response).then(() => {
      isNext = true;
    });
    const ended = once(one.response, 'close');
    const late = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000);
    jest.advanceTimersByTime(20_000);
    late.mockRestore();
    expect(one.response.destroyed).toBe(false);
    await one.leave();
    await ended;
    await new Promise(setImmediate);
    expect(isNext).toBe(false);
    finish('content');
    expect(await made).toBe('content');
    await next;
    two.response.end();
    expect(await isFree(answers)).toBe(true);
  });
});
