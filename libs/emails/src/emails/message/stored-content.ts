import { Readable } from 'node:stream';
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
  const content = await inTime(storage.get(hash), FINDING, (late) => late.destroy());
  const source = content[Symbol.asyncIterator]();
  try {
    for (let next = await inTime(source.next(), FINDING); !next.done; next = await inTime(source.next(), PATIENCE)) {
      read += next.value.length;
      if (read > size) break;
      yield next.value;
    }
  } finally {
    content.destroy();
  }
  if (read !== size) throw new Error('The stored content of an attachment has another size than it had.');
}

/** @param tooLate gets what came when nobody waited for it any more */
function inTime<T>(awaited: Promise<T>, patience: number, tooLate?: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new Error('The attachment storage gave no answer in time.'));
    }, patience);
    awaited.then(
      (value) => {
        clearTimeout(timer);
        if (late) tooLate?.(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // Its message may tell of places that are nobody's business.
        const name = error instanceof Error ? error.name : 'unknown error';
        reject(new Error(`The attachment storage failed: ${name}`, { cause: error }));
      },
    );
  });
}
