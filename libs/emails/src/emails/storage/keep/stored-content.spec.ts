import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { readPart, readStored } from './stored-content.js';

const storage = (get: (hash: string) => Promise<Readable>) => ({ get: jest.fn(get), put: async () => {} });
const bytes = (...pieces: string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)));

describe('readStored', () => {
  afterEach(() => jest.useRealTimers());

  it('opens a content when it is read, and returns all of it', async () => {
    const { get, ...rest } = storage(async () => bytes('abc', 'def'));
    const content = readStored({ get, ...rest }, 'hash', 6);
    await new Promise((resolve) => setImmediate(resolve));
    expect(get).not.toHaveBeenCalled();
    expect((await buffer(content)).toString()).toBe('abcdef');
    expect(get).toHaveBeenCalledWith('hash');
  });

  it('returns an empty one', async () => {
    expect(
      await buffer(
        readStored(
          storage(async () => bytes()),
          'hash',
          0,
        ),
      ),
    ).toHaveLength(0);
  });

  it.each<[string, () => Promise<Readable>, string]>([
    ['has none', () => Promise.reject(new TypeError('no such content')), 'failed: TypeError'],
    ['gives too little', async () => bytes('abc'), 'size'],
    ['gives too much', async () => bytes('abc', 'defg'), 'size'],
    [
      'breaks off',
      async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('abc');
            throw new RangeError('connection lost');
          })(),
        ),
      'failed: RangeError',
    ],
  ])('fails when the storage %s', async (_, get, reason) => {
    await expect(buffer(readStored(storage(get), 'hash', 6))).rejects.toThrow(reason);
  });

  it.each<[string, () => Promise<Readable>]>([
    ['before it begins', () => new Promise(() => {})],
    ['in the middle', async () => new Readable({ read() {} })],
  ])('fails when the storage falls silent %s', async (_, get) => {
    jest.useFakeTimers();
    const read = buffer(readStored(storage(get), 'hash', 6));
    const failed = expect(read).rejects.toThrow('no answer in time');
    await jest.advanceTimersByTimeAsync(60_000);
    await failed;
  });

  it('closes a stream that comes too late, and ignores its errors', async () => {
    jest.useFakeTimers();
    const late = new Readable({ read() {}, destroy: (_, done) => done(new Error('already closed')) });
    const get = () => new Promise<Readable>((resolve) => setTimeout(resolve, 3_300, late));
    const failed = expect(buffer(readStored(storage(get), 'hash', 6))).rejects.toThrow('no answer in time');
    await jest.advanceTimersByTimeAsync(4_000);
    await failed;
    expect(late.destroyed).toBe(true);
  });

  it('closes the source when its reader stops', async () => {
    const source = bytes('abc', 'def');
    const content = readStored(
      storage(async () => source),
      'hash',
      6,
    );
    for await (const _ of content) break;
    expect(source.destroyed).toBe(true);
  });
});

describe('readPart', () => {
  const read = async (pieces: AsyncIterable<Uint8Array>) => {
    let text = '';
    for await (const piece of pieces) text += Buffer.from(piece).toString();
    return text;
  };

  it.each([
    [0, 8, 'abcdefghi'],
    [0, 0, 'a'],
    [2, 3, 'cd'],
    [3, 5, 'def'],
    [4, 8, 'efghi'],
    [8, 8, 'i'],
  ])('returns bytes %d to %d, also from a storage without random access', async (start, end, expected) => {
    const whole = storage(async () => bytes('abc', 'def', 'ghi'));
    expect(await read(readPart(whole, 'hash', { start, end }))).toBe(expected);
    const getFrom = jest.fn(async (_: string, from: number) =>
      bytes('abcdefghi'.slice(from, from + 2), 'abcdefghi'.slice(from + 2)),
    );
    const seeking = { ...storage(async () => bytes()), getFrom };
    expect(await read(readPart(seeking, 'hash', { start, end }))).toBe(expected);
    expect(getFrom).toHaveBeenCalledWith('hash', start);
    expect(seeking.get).not.toHaveBeenCalled();
  });

  it('fails when the content is too short', async () => {
    const part = readPart(
      storage(async () => bytes('abc')),
      'hash',
      { start: 1, end: 3 },
    );
    await expect(read(part)).rejects.toThrow('another size');
  });

  it('closes the source when it ends', async () => {
    const content = bytes('abc', 'def');
    const part = readPart(
      storage(async () => content),
      'hash',
      { start: 0, end: 5 },
    );
    await part.next();
    await part.return(undefined);
    expect(content.destroyed).toBe(true);
  });
});
