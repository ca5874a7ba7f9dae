import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ByteBudget } from '../../shared/work/byte-budget.js';

/** Bytes of html and text in answers that are under way at the same time. An answer takes several times its bytes. */
const TOTAL = 100_000_000;
/** Bounds the memory that large answers take: whoever asks for one waits until there is room. */
@Injectable()
export class LargeAnswers {
  private readonly budget = new ByteBudget(TOTAL);

  /**
   * Resolves when there is room for an answer with so many bytes of content, which it holds until it was read. It is cut
   * off when it is read slowly, that is in more than five seconds, while others wait.
   *
   * @throws ApiError 503 when there is no room within half a minute
   */
  async makeRoom(bytes: number, account: string, response: ServerResponse): Promise<void> {
    const share = await this.budget.take(bytes, account);
    if (response.closed) return share.close();
    response.once('close', () => share.close());
    share.follow(() => response.destroy());
  }
}
