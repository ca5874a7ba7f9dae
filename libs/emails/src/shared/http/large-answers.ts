import type { ServerResponse } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { LIMITS } from '../limits.js';
import { type BudgetLimits, ByteBudget } from '../work/byte-budget.js';
import type { ByteShare } from '../work/byte-share.js';
import { MEDIUM_LIMITS } from '../work/request-memory.js';

/**
 * Time for which memory stays reserved after a client has left before its answer began: its content is still being read.
 * Milliseconds.
 */
const ABANDONED = 5_000;

const reserved = new WeakMap<ServerResponse, ByteShare[]>();

/** The memory that is reserved for this answer. */
export function sharesOf(response: ServerResponse): readonly ByteShare[] {
  return reserved.get(response) ?? [];
}

/** Bytes already reserved for this answer. */
export function roomOf(response: ServerResponse): number {
  return sharesOf(response).reduce((sum, { held }) => sum + held, 0);
}

/**
 * Bounds the memory of large answers: a request for one waits until memory is available.
 *
 * @example
 * ```ts
 * const exports = new LargeAnswers(50_000_000);
 * await exports.makeRoom(8_000_000, 'acme', response); // then write the answer with `answerInPieces`
 * ```
 */
export class LargeAnswers {
  private readonly budget: ByteBudget;

  /**
   * @param total limit of content in concurrent answers, in bytes; a fraction of it if the heap has less than 2,700 MB.
   * An answer takes several times its bytes
   */
  constructor(total: number, limits?: BudgetLimits) {
    this.budget = new ByteBudget(total, limits);
  }

  /**
   * Resolves when memory for an answer with this many bytes of content is reserved, until the answer is read.
   * `answerInPieces` cuts it off when the client stalls for more than five seconds while others wait.
   *
   * @throws ApiError 503 without memory within half a minute
   */
  async makeRoom(bytes: number, account: string, response: ServerResponse): Promise<void> {
    await this.acquire(bytes, account, response);
  }

  /**
   * The same for a request that is answered from what its client sends.
   *
   * @internal
   */
  async acquire(bytes: number, account: string, response: ServerResponse): Promise<ByteShare> {
    const share = await this.reserve(bytes, account, response);
    response.once('close', () => {
      if (response.headersSent) share.close();
      else setTimeout(() => share.close(), ABANDONED).unref();
    });
    return share;
  }

  /**
   * The same for content that takes long to make. Its time is not the client's, and the memory stays reserved for it,
   * even if the client leaves.
   *
   * @internal
   */
  async make<Content>(
    { bytes, account, response }: { bytes: number; account: string; response: ServerResponse },
    make: () => Promise<Content>,
  ): Promise<Content> {
    const share = await this.reserve(bytes, account, response);
    try {
      const content = await make();
      if (response.closed) share.close();
      response.once('close', () => share.close());
      return content;
    } catch (error) {
      share.close();
      throw error;
    }
  }

  /** @throws ApiError when the client has left, so that nothing is read for it */
  private async reserve(bytes: number, account: string, response: ServerResponse): Promise<ByteShare> {
    const share = await this.budget.acquire(bytes, account);
    if (response.closed) {
      share.close();
      throw ApiError.busy();
    }
    reserved.set(response, [...sharesOf(response), share]);
    return share;
  }
}

/** Budget of lists of emails, which are measured before they are read, and of CSV files. */
export const emailLists = new LargeAnswers(LIMITS.emailLists.max);

/**
 * Budget of lists that are measured while they are read, so that each claims its maximum. Most end within milliseconds.
 */
export const resourceLists = new LargeAnswers(LIMITS.resourceLists.max, MEDIUM_LIMITS);

/**
 * Budget of all other answers over 64 kB, by their size so far: a template, a page of few emails. A waiting answer
 * keeps that much in memory.
 */
export const otherAnswers = new LargeAnswers(LIMITS.otherAnswers.max);

/** Budget of emails as messages, each with its html and text, and a piece of its files. */
export const emailSources = new LargeAnswers(LIMITS.emailSources.max);
