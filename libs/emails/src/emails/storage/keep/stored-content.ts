import { Readable } from 'node:stream';
import { inTime } from '../../../shared/work/in-time.js';
import type { AttachmentStorage, SeekingAttachmentStorage } from '../../ports/attachment-storage.js';

/** Time limit for a storage to find a content: a connection waits for it. Milliseconds. */
const FINDING = 3_000;
/** Time limit for the next piece. Milliseconds. */
const PATIENCE = 60_000;

/** The first and the last byte of a part, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a content on demand: nothing of it is in memory before. Fails when the storage fails, when it stops sending,
 * and when the content has not the expected length.
 *
 * @param size bytes of the content
 */
export function readStored(storage: AttachmentStorage, hash: string, size: number): Readable {
  return Readable.from(whole(storage, hash, size), { objectMode: false });
}

async function* whole(storage: AttachmentStorage, hash: string, size: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  const content = await opened(storage.get(hash), FINDING);
  try {
    for (let next = await content.piece(FINDING); !next.done; next = await content.piece(PATIENCE)) {
      read += next.value.length;
      if (read > size) break;
      yield next.value;
    }
  } finally {
    content.close();
  }
  if (read !== size) throw wrongSize();
}

/**
 * Reads a part of a content for a reader outside the delivery path. A storage without random access is read from the
 * beginning.
 */
export async function* readPart(
  storage: AttachmentStorage & Partial<SeekingAttachmentStorage>,
  hash: string,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = storage.getFrom ? start : 0;
  const content = await opened(storage.getFrom?.(hash, start) ?? storage.get(hash), PATIENCE);
  try {
    while (at <= end) {
      const next = await content.piece(PATIENCE);
      if (next.done) throw wrongSize();
      const part = next.value.subarray(Math.max(0, start - at), end + 1 - at);
      at += next.value.length;
      if (part.length > 0) yield part;
    }
  } finally {
    content.close();
  }
}

/** @param patience time limit for the storage to find it, in milliseconds */
async function opened(opening: Promise<Readable>, patience: number) {
  const content = await inTime(opening.catch(failed), patience, noAnswer, discard);
  const source: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]();
  return {
    /** @param patience time limit for the piece, in milliseconds */
    piece: (patience: number) => inTime(source.next().catch(failed), patience, noAnswer),
    close: () => content.destroy(),
  };
}

/** Closes a stream that came too late, and ignores its errors. */
function discard(late: Readable): void {
  late?.on('error', () => {}).destroy();
}

function noAnswer(): never {
  throw new Error('The attachment storage gave no answer in time.');
}

function wrongSize(): Error {
  return new Error('The stored content of an attachment has another size than it had.');
}

/** The message of the error may contain paths or addresses that must not be shown. */
function failed(error: unknown): never {
  const name = error instanceof Error ? error.name : 'unknown error';
  throw new Error(`The attachment storage failed: ${name}`, { cause: error });
}
