import type { UnsubscribePreview } from '../../../index.js';
import { isUuid } from '../../../shared/text/is-uuid.js';
import type { ReaderChoices } from '../choices/reader-choices.js';
import type { PageWriter } from '../http/page-writer.js';

/** Of nobody (RFC 6761 section 6.4). */
const SAMPLE = 'reader@example.invalid';

/** The page of choices as it is now, also where the host renders its own. */
export class PagePreview implements UnsubscribePreview {
  constructor(
    private readonly choices: Pick<ReaderChoices, 'stateOf'>,
    private readonly pages: Pick<PageWriter, 'render'>,
  ) {}

  async render(accountId: string, topicId: string, language?: string): Promise<string | undefined> {
    if (!isUuid(topicId)) return undefined;
    const state = await this.choices.stateOf({ accountId, address: SAMPLE, topicId });
    if (!state.topics.some(({ isOfEmail }) => isOfEmail)) return undefined;
    return this.pages.render({ accountId, address: SAMPLE, change: null, ...state }, language);
  }
}
