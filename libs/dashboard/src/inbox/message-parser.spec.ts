import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import type { DashboardInbox } from './dashboard-inbox.js';
import { MessageParser } from './message-parser.js';

const REFUSED = expect.objectContaining({ statusCode: 422 });
const LARGEST = 64_000_000;

/** A thread with this program instead of the parser. */
const thread = (program: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import threads from 'node:worker_threads'; ${program}`)}`);

function setUp(program: string, sizes: Readonly<Record<string, number>> = { a: 1, b: 1 }) {
  const streams: Readable[] = [];
  const open = async (id: string) => {
    const size = sizes[id];
    if (size === undefined) return undefined;
    const stream = Readable.from([Buffer.from(id)]);
    streams.push(stream);
    return { size, stream };
  };
  return { streams, parser: new MessageParser({ open } as unknown as DashboardInbox, thread(program)) };
}

describe('MessageParser', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('returns the result of the thread, and caches the last one', async () => {
    const { parser, streams } = setUp('threads.parentPort.postMessage([...threads.workerData])');
    await expect(parser.parse('a')).resolves.toEqual([...Buffer.from('a')]);
    await expect(parser.parse('a')).resolves.toEqual([...Buffer.from('a')]);
    expect(streams[1]?.destroyed).toBe(true);
    await expect(parser.parse('b')).resolves.toEqual([...Buffer.from('b')]);
    await expect(parser.parse('c')).rejects.toMatchObject({ statusCode: 404 });
  });

  it.each(['throw new Error()', 'process.exit(0)', 'process.exit(1)', 'await new Promise(() => {})'])(
    'survives a thread that does this: %s',
    async (program) => {
      await expect(setUp(program).parser.parse('a')).rejects.toEqual(REFUSED);
    },
  );

  it('stops a thread that hangs', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    // Ends eventually by itself, so that the tests end.
    const { parser } = setUp(
      'const began = Date.now(); while (Date.now() < began + 5_000); threads.parentPort.postMessage(1)',
    );
    let isOver = false;
    const over = parser
      .parse('a')
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    const soon = () => new Promise((resolve) => setImmediate(resolve));
    while (jest.getTimerCount() === 0 && !isOver) await soon();
    jest.advanceTimersByTime(19_999);
    await soon();
    expect(isOver).toBe(false);
    jest.advanceTimersByTime(1);
    expect(await over).toEqual(REFUSED);
  });

  it('limits the memory of a thread', async () => {
    const { parser } = setUp('threads.parentPort.postMessage(threads.resourceLimits)');
    await expect(parser.parse('a')).resolves.toMatchObject({ maxOldGenerationSizeMb: 512 });
  });

  it('does not read too large a message', async () => {
    const { parser, streams } = setUp('threads.parentPort.postMessage(1)', { a: LARGEST, b: LARGEST + 1 });
    await expect(parser.parse('a')).resolves.toBe(1);
    await expect(parser.parse('b')).rejects.toEqual(REFUSED);
    expect(streams.map(({ readableDidRead, destroyed }) => [readableDidRead, destroyed])).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('parses one message at a time', async () => {
    const { parser, streams } = setUp('threads.parentPort.postMessage(1)');
    const begun = [parser.parse('a'), parser.parse('b')].map(async (parsed) => {
      await parsed;
      return streams.length;
    });
    expect(await Promise.all(begun)).toEqual([1, 2]);
  });
});
