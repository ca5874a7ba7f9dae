import type { ServerResponse } from 'node:http';
import { type BudgetLimits, ByteBudget } from '../work/byte-budget.js';
import type { ByteShare } from '../work/byte-share.js';

const charged = new WeakMap<ServerResponse, number>();

/** Bytes for which this answer has room already. */
export function roomOf(response: ServerResponse): number {
  return charged.get(response) ?? 0;
}

/** Bounds the memory that large answers take: whoever asks for one waits until there is room. */
export class LargeAnswers {
  private readonly budget: ByteBudget;

  /** @param total bytes of content in answers that are under way at the same time. An answer takes several times its bytes */
  constructor(total: number, limits?: BudgetLimits) {
    this.budget = new ByteBudget(total, limits);
  }

  /**
   * Resolves when there is room for an answer with so many bytes of content, which it holds until it was read. It is cut
   * off when it is read slowly, that is in more than five seconds, while others wait.
   *
   * @throws ApiError 503 when there is no room within half a minute
   */
  async makeRoom(bytes: number, account: string, response: ServerResponse): Promise<void> {
    await this.take(bytes, account, response);
  }

  /**
   * The same for an answer that is longer than what it takes at a time, whose share is to be told how it gets on.
   *
   * @internal
   */
  async take(bytes: number, account: string, response: ServerResponse): Promise<ByteShare> {
    const share = await this.budget.take(bytes, account);
    charged.set(response, roomOf(response) + bytes);
    if (response.closed) share.close();
    else {
      response.once('close', () => share.close());
      share.follow(() => response.destroy());
    }
    return share;
  }
}

/** Of lists of emails, which are weighed before they are read. */
export const emailLists = new LargeAnswers(100_000_000);

/** Of lists that are weighed while they are read, so that each claims the most that it may be. Most are done in no time. */
export const resourceLists = new LargeAnswers(40_000_000, {
  all: 4_000,
  each: 1_000,
  promises: Number.POSITIVE_INFINITY,
});

/**
 * Of all other answers over 64 kB, by what was made of them when they ask: a template, a page of few emails. Whoever waits has
 * that in memory.
 */
export const otherAnswers = new LargeAnswers(40_000_000);

/** Of emails as messages, each with its html and text, and a piece of its files. */
export const emailSources = new LargeAnswers(100_000_000);

/** Of files that strangers with links read: 200 at the same time, half of them of one account. */
export const linkedFiles = new LargeAnswers(100_000_000);
