import { jest } from '@jest/globals';
import { ApiError } from '../../../shared/errors/api-error.js';
import type { AttachmentDto } from '../request/attachment.dto.js';
import { type FetchBounds, notFetched } from './attachment-fetcher.js';
import { AttachmentResolver } from './attachment-resolver.js';

const MB = 1_000_000;

/** A file host that answers on command of the test. */
class Origin {
  readonly asked: string[] = [];
  private readonly going = new Map<string, (size: number) => void>();

  fetch = async (url: string, bounds: FetchBounds = {}) => {
    this.asked.push(url);
    for (let size = 0; ; ) {
      const piece = await new Promise<number>((resolve, reject) => {
        this.going.set(url, resolve);
        bounds.signal?.addEventListener('abort', () => reject(bounds.signal?.reason));
      });
      if (piece === 0) return { content: Buffer.alloc(size), filename: 'a.bin' };
      size += piece;
      await bounds.makeRoom?.(size);
    }
  };

  /** Adds bytes to the file; zero ends it. */
  async send(url: string, size: number): Promise<void> {
    this.going.get(url)?.(size);
    await jest.advanceTimersByTimeAsync(0);
  }
}

describe('AttachmentResolver', () => {
  let origin: Origin;
  let resolver: AttachmentResolver;
  const put = jest.fn(async () => {});

  beforeEach(() => {
    jest.useFakeTimers();
    put.mockClear();
    origin = new Origin();
    resolver = new AttachmentResolver({ put, open: async () => undefined } as never, origin, {
      message: 40 * MB,
      fetchTime: 30_000,
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const files = (...urls: string[]): AttachmentDto[] => urls.map((path) => ({ path }));

  it('applies one timeout to all files of a request', async () => {
    const urls = ['a', 'b', 'c', 'd', 'e'];
    const refused = expect(resolver.resolve('one', files(...urls), 0)).rejects.toEqual(notFetched());
    for (const url of urls) {
      await jest.advanceTimersByTimeAsync(9_000);
      await origin.send(url, 1_000);
      await origin.send(url, 0);
    }
    await refused;
    expect(origin.asked).toEqual(['a', 'b', 'c', 'd']);
    expect(put).not.toHaveBeenCalled();
  });

  it('fetches large files of several accounts side by side', async () => {
    const slow = resolver.resolve('slow', files('a', 'b'), 0);
    await origin.send('a', 5 * MB);
    const quick = resolver.resolve('quick', files('c'), 0);
    await origin.send('c', 5 * MB);
    await origin.send('c', 10 * MB);
    await origin.send('c', 0);
    jest.useRealTimers();
    await expect(quick).resolves.toMatchObject([{ size: 15 * MB }]);
    jest.useFakeTimers();
    await origin.send('a', 0);
    await origin.send('b', 0);
    jest.useRealTimers();
    await expect(slow).resolves.toHaveLength(2);
  });

  it('releases the memory of files that do not arrive', async () => {
    const refusal = jest.fn();
    resolver.resolve('slow', files('a', 'b'), 0).catch(refusal);
    await origin.send('a', 25 * MB);
    await origin.send('a', 0);
    const next = resolver.resolve('next', files('c'), 0);
    await origin.send('c', 25 * MB);
    await jest.advanceTimersByTimeAsync(11_000);
    expect(refusal).toHaveBeenCalledWith(ApiError.busy());
    await origin.send('c', 0);
    jest.useRealTimers();
    await expect(next).resolves.toMatchObject([{ size: 25 * MB }]);
  });

  it('answers busy when waits used up the timeout of the fetches', async () => {
    const first = resolver.resolve('one', files('a'), 0);
    await origin.send('a', 15 * MB);
    const refused = expect(resolver.resolve('one', files('b'), 0)).rejects.toEqual(ApiError.busy());
    await origin.send('b', 20 * MB);
    for (let seconds = 0; seconds < 30; seconds += 5) {
      await jest.advanceTimersByTimeAsync(4_000);
      await origin.send('a', 2 * MB);
    }
    await origin.send('a', 0);
    await jest.advanceTimersByTimeAsync(6_000);
    await refused;
    jest.useRealTimers();
    await first;
  });
});
