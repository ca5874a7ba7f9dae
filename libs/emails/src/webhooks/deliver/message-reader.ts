import { setTimeout } from 'node:timers/promises';
import { isNoRowsFault } from '../../shared/errors/database-errors.js';
import { Batcher } from '../../shared/work/batcher.js';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import type { MessageRequest, WebhookMessages } from '../storage/webhook-messages.js';

/** Messages of one statement. */
const READ = { maxSize: 50, mayDivide: (error: unknown) => !isNoRowsFault(error) };
/** Interval and limit of the retries for a locked row. Milliseconds. */
const INTERVAL = 250;
const PATIENCE = 5_000;

/** Reads the messages of many requests in one statement, in the order of the requests. */
export class MessageReader {
  private readonly reads: Batcher<MessageRequest, LeaseWrite>;

  constructor(messages: Pick<WebhookMessages, 'send'>) {
    this.reads = new Batcher((requests) => messages.send(requests), READ);
  }

  /** Resolves with whether the request got its message. */
  async read(request: MessageRequest): Promise<boolean> {
    for (const deadline = performance.now() + PATIENCE; ; await setTimeout(INTERVAL)) {
      const written = await this.reads.add(request);
      if (written !== 'locked' || performance.now() > deadline) return written === 'done';
    }
  }
}
