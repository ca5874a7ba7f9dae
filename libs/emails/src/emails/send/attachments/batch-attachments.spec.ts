import { jest } from '@jest/globals';
import type { AttachmentDto } from '../request/attachment.dto.js';
import { notFetched } from './attachment-fetcher.js';
import { AttachmentResolver } from './attachment-resolver.js';
import type { BatchAttachments } from './batch-attachments.js';

const MB = 1_000_000;
const file = (path: string): AttachmentDto[] => [{ path }];

/** A batch of an account, and its calls to dependencies. A file's name is its size in bytes. */
function batchOf(fetchTime = 30_000) {
  const asked: string[] = [];
  const put = jest.fn<(hash: string, content: Buffer) => Promise<void>>(async () => {});
  const fetch = async (url: string, { maxBytes = 0 }: { maxBytes?: number } = {}) => {
    asked.push(url);
    const size = Number(/\d+/.exec(url)?.[0]);
    if (!(size <= maxBytes)) throw notFetched();
    return { content: Buffer.alloc(size, url), filename: 'a.pdf' };
  };
  const limits = { message: 40 * MB, fetchTime };
  const batch: BatchAttachments = new AttachmentResolver({ put, get: put } as never, { fetch }, limits).forBatch('one');
  return { asked, put, batch };
}

describe('BatchAttachments', () => {
  it('fetches and stores a path once for all emails with it', async () => {
    const { asked, put, batch } = batchOf();
    const first = await batch.resolve(file('5000'), 0);
    expect(first).toEqual([
      {
        filename: 'a.pdf',
        contentType: 'application/pdf',
        contentId: null,
        contentHash: expect.any(String),
        size: 5_000,
      },
    ]);
    for (let at = 0; at < 99; at++) expect(await batch.resolve(file('5000'), 0)).toEqual(first);
    await batch.store();
    expect([asked, put.mock.calls.length]).toEqual([['5000'], 1]);
  });

  it('tries a failing path once', async () => {
    const { asked, batch } = batchOf();
    for (let at = 0; at < 3; at++) await expect(batch.resolve(file('none'), 0)).rejects.toEqual(notFetched());
    expect(asked).toEqual(['none']);
  });

  it('fetches 20 different paths, and no other', async () => {
    const { asked, batch } = batchOf();
    for (let at = 1; at <= 20; at++) await batch.resolve(file(`${at}`), 0);
    await expect(batch.resolve(file('21'), 0)).rejects.toMatchObject({
      message: expect.stringMatching(/20 different/),
    });
    await batch.resolve(file('20'), 0);
    expect(asked).toHaveLength(20);
  });

  it('fetches up to 80 MB in all, and up to the message limit for each email', async () => {
    const { batch } = batchOf();
    await batch.resolve(file(`${27 * MB}`), 0);
    await batch.resolve(file(`${26 * MB}`), 0);
    const both = [...file(`${27 * MB}`), ...file(`${26 * MB}`)];
    await expect(batch.resolve(both, 0)).rejects.toMatchObject({ message: expect.stringMatching(/whole message/) });
    await expect(batch.resolve(file(`${28 * MB}`), 0)).rejects.toEqual(notFetched());
    await batch.resolve(file(`${25 * MB}`), 0);
  });

  it('has the timeout of a single email for all fetches', async () => {
    jest.useFakeTimers();
    const signals: (AbortSignal | undefined)[] = [];
    const fetch = (_: string, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<never>((_resolve, reject) => {
        signals.push(signal);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const limits = { message: 40 * MB, fetchTime: 30_000 };
    const batch = new AttachmentResolver({} as never, { fetch }, limits).forBatch('one');
    const refused = expect(batch.resolve(file('a'), 0)).rejects.toEqual(notFetched());
    await jest.advanceTimersByTimeAsync(30_000);
    await refused;
    const next = expect(batch.resolve(file('b'), 0)).rejects.toEqual(notFetched());
    await jest.advanceTimersByTimeAsync(1);
    await next;
    jest.useRealTimers();
  });

  it('stores given contents once each, and nothing of a refused email', async () => {
    const { put, batch } = batchOf();
    const given = (text: string) => ({ filename: 'a', content: Buffer.from(text).toString('base64') });
    await batch.resolve([given('logo'), given('one')], 0);
    await batch.resolve([given('logo'), given('two')], 0);
    await expect(batch.resolve([given('three'), { filename: 'b' }], 0)).rejects.toMatchObject({ statusCode: 422 });
    expect(put).not.toHaveBeenCalled();
    await batch.store();
    expect(put.mock.calls.map(([, content]) => content.toString()).sort()).toEqual(['logo', 'one', 'two']);
  });
});
