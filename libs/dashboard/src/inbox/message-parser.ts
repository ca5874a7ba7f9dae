import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { ApiError } from 'nestjs-emails';
import { folder } from '#dashboard-folder';
import type { DashboardInbox } from './dashboard-inbox.js';
import type { ParsedMessage } from './parsed-message.js';

/** Timeout of parsing a message. Milliseconds. */
const PATIENCE = 20_000;
/** Memory limit. Megabytes. */
const MEMORY = 512;
/** Limit of a parsed message. Bytes. */
const LARGEST = 64_000_000;
const PROGRAM = new URL('inbox/parse.worker.js', folder);

/**
 * Parses messages, one at a time and in a separate thread, so that no content of a stranger can block the process. The
 * last result is cached, because its html, images and attachments are requested one after the other.
 */
export class MessageParser {
  private last: { id: string; message: ParsedMessage } | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  /** @param program program of the thread, for tests of its limits */
  constructor(
    private readonly inbox: DashboardInbox,
    private readonly program = PROGRAM,
  ) {}

  /** @throws ApiError 404 without the message, 422 when it cannot be parsed */
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
      throw unparsable();
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
    throw unparsable();
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

function unparsable(): ApiError {
  return ApiError.invalid('This message is too large or too unusual to be parsed. Its source can be read.');
}
