import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ByteBudget } from './byte-budget.js';

/** Bytes of html and text in answers that are under way at the same time. An answer takes several times its bytes. */
const TOTAL = 100_000_000;
/** How long a caller may take to read an answer that others wait for. Milliseconds. */
const PATIENCE = 60_000;

/** Bounds the memory that large answers take: whoever asks for one waits until there is room. */
@Injectable()
export class LargeAnswers {
  private readonly budget = new ByteBudget(TOTAL);

  /**
   * Resolves when there is room for an answer with so many bytes of content, which it holds until it was read or a
   * minute has passed; then it is cut off.
   *
   * @throws ApiError 503 when there is no room within half a minute
   */
  async makeRoom(bytes: number, account: string, response: ServerResponse): Promise<void> {
    const giveBack = await this.budget.take(bytes, account);
    if (response.closed) return giveBack();
    const timer = setTimeout(() => response.destroy(), PATIENCE);
    response.once('close', () => {
      clearTimeout(timer);
      giveBack();
    });
  }
}
