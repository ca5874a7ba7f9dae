import { Readable } from 'node:stream';
import { inTime } from '../../shared/work/in-time.js';
import type { AttachmentStorage, SeekingAttachmentStorage } from '../ports/attachment-storage.js';

/** How long a storage may take to find a content, in milliseconds: a connection waits for it. */
const FINDING = 3_000;
/** How long it may take for the next piece. */
const PATIENCE = 60_000;

/** The first and the last byte of a part, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a content when its turn comes: nothing of it is in memory before. Fails when the storage does, when it falls
 * silent, and when what it gives is not as long as it has to be.
 *
 * @param size bytes of the content
 */
export function readStored(storage: AttachmentStorage, hash: string, size: number): Readable {
  return Readable.from(whole(storage, hash, size), { objectMode: false });
}

async function* whole(storage: AttachmentStorage, hash: string, size: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of pieces(() => storage.get(hash), FINDING)) {
    read += piece.length;
    if (read > size) break;
    yield piece;
  }
  if (read !== size) throw wrongSize();
}

/**
 * Reads a part of a content, as readers get on that nobody waits for. A storage that cannot begin anywhere is read from its
 * beginning.
 */
export async function* readPart(
  storage: AttachmentStorage & Partial<SeekingAttachmentStorage>,
  hash: string,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  const seeks = storage.getFrom !== undefined;
  let at = seeks ? start : 0;
  for await (const piece of pieces(() => storage.getFrom?.(hash, start) ?? storage.get(hash), PATIENCE)) {
    const part = piece.subarray(Math.max(0, start - at), end + 1 - at);
    at += piece.length;
    if (part.length > 0) yield part;
    if (at > end) return;
  }
  throw wrongSize();
}

/** @param finding milliseconds until the storage has found it, and again until the first piece is here */
async function* pieces(open: () => Promise<Readable>, finding: number): AsyncGenerator<Uint8Array> {
  const content = await inTime(open().catch(failed), finding, noAnswer, discard);
  const source = content[Symbol.asyncIterator]();
  const piece = (patience: number) => inTime(source.next().catch(failed), patience, noAnswer);
  try {
    for (let next = await piece(finding); !next.done; next = await piece(PATIENCE)) yield next.value;
  } finally {
    content.destroy();
  }
}

/** What comes too late may fail as it likes: nobody waits for it any more. */
function discard(late: Readable): void {
  late?.on('error', () => {}).destroy();
}

function noAnswer(): never {
  throw new Error('The attachment storage gave no answer in time.');
}

function wrongSize(): Error {
  return new Error('The stored content of an attachment has another size than it had.');
}

/** Its message may tell of places that are nobody's business. */
function failed(error: unknown): never {
  const name = error instanceof Error ? error.name : 'unknown error';
  throw new Error(`The attachment storage failed: ${name}`, { cause: error });
}
