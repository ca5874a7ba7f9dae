import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { ApiError } from 'nestjs-emails';
import type { DashboardInbox } from './dashboard-inbox.js';
import type { ParsedMessage } from './parsed-message.js';

/** How long taking a message apart may take. Milliseconds. */
const PATIENCE = 20_000;
/** What it may need. Megabytes. */
const MEMORY = 512;
/** What is taken apart at most. Bytes. */
const LARGEST = 64_000_000;
const PROGRAM = new URL('./parse.worker.js', import.meta.url);

/**
 * Takes messages apart, one at a time and in a thread of its own: whatever a stranger has put into one, nothing else of the
 * process waits for it. The last one is kept, as its html, images and attachments are asked for one after the other.
 */
export class MessageParser {
  private last: { id: string; message: ParsedMessage } | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  /** @param program what the thread runs, for tests of how it is kept in its bounds */
  constructor(
    private readonly inbox: DashboardInbox,
    private readonly program = PROGRAM,
  ) {}

  /** @throws ApiError 404 when there is no such message, 422 when it cannot be taken apart */
  parse(id: string): Promise<ParsedMessage> {
    const parsed = this.turn.then(() => this.find(id));
    this.turn = parsed.catch(() => {});
    return parsed;
  }

  private async find(id: string): Promise<ParsedMessage> {
    const kept = await this.inbox.open(id);
    if (!kept) throw ApiError.notFound('The inbox has no message with this id.');
    if (this.last?.id === id) {
      kept.stream.destroy();
      return this.last.message;
    }
    this.last = undefined;
    if (kept.size > LARGEST) {
      kept.stream.destroy();
      throw tooOdd();
    }
    const message = await inThread(this.program, await buffer(kept.stream));
    this.last = { id, message };
    return message;
  }
}

async function inThread(program: URL, bytes: Buffer): Promise<ParsedMessage> {
  const raw = new Uint8Array(bytes);
  const worker = new Worker(program, {
    workerData: raw,
    transferList: [raw.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  const timer = setTimeout(() => void worker.terminate(), PATIENCE);
  try {
    return await new Promise<ParsedMessage>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread ended.')));
    });
  } catch {
    throw tooOdd();
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

function tooOdd(): ApiError {
  return ApiError.invalid('This message is too large or too odd to be taken apart. Its source can be read.');
}
