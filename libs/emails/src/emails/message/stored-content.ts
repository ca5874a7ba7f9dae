import { Readable } from 'node:stream';
import { inTime } from '../../shared/work/in-time.js';
import type { AttachmentStorage } from '../ports/attachment-storage.js';

/** How long a storage may take to find a content, in milliseconds: a connection waits for it. */
const FINDING = 3_000;
/** How long it may take for the next piece. */
const PATIENCE = 60_000;

/**
 * Reads a content when its turn comes: nothing of it is in memory before. Fails when the storage does, when it falls
 * silent, and when what it gives is not as long as it has to be.
 *
 * @param size bytes of the content
 */
export function readStored(storage: AttachmentStorage, hash: string, size: number): Readable {
  return Readable.from(pieces(storage, hash, size), { objectMode: false });
}

async function* pieces(storage: AttachmentStorage, hash: string, size: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  const content = await inTime(storage.get(hash).catch(failed), FINDING, noAnswer, discard);
  const source = content[Symbol.asyncIterator]();
  const piece = (patience: number) => inTime(source.next().catch(failed), patience, noAnswer);
  try {
    for (let next = await piece(FINDING); !next.done; next = await piece(PATIENCE)) {
      read += next.value.length;
      if (read > size) break;
      yield next.value;
    }
  } finally {
    content.destroy();
  }
  if (read !== size) throw new Error('The stored content of an attachment has another size than it had.');
}

/** What comes too late may fail as it likes: nobody waits for it any more. */
function discard(late: Readable): void {
  late?.on('error', () => {}).destroy();
}

function noAnswer(): never {
  throw new Error('The attachment storage gave no answer in time.');
}

/** Its message may tell of places that are nobody's business. */
function failed(error: unknown): never {
  const name = error instanceof Error ? error.name : 'unknown error';
  throw new Error(`The attachment storage failed: ${name}`, { cause: error });
}
