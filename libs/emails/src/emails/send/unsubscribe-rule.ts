import { ApiError } from '../../shared/errors/api-error.js';
import { unsubscribeUrlsIn } from '../../shared/text/unsubscribe-url.js';
import { EMAIL_LIMITS } from '../limits.js';
import { isSplit, type RecipientsPerMessage } from '../ports/recipients-per-message.js';
import type { UnsubscribeLinks } from '../ports/unsubscribe-links.js';

const MAX = EMAIL_LIMITS.unsubscribeUrls.max;
const NAME = '`{{{RESEND_UNSUBSCRIBE_URL}}}`';

/** An email whose content may have placeholders for the unsubscribe link. */
interface Unsubscribable {
  id: string;
  accountId: string;
  html: string | null;
  text: string | null;
  /** Placeholders of its template; undefined without a template. Values of variables do not count: they may come from anybody. */
  inTemplate: number | undefined;
  topicId: string | null;
  /** Envelope addresses. */
  recipients: readonly string[];
}

/** Refuses emails whose placeholders for the unsubscribe link would go out as they are. */
export class UnsubscribeRule {
  constructor(
    private readonly links: Pick<UnsubscribeLinks, 'linkOf'> | undefined,
    private readonly recipientsPerMessage?: RecipientsPerMessage,
  ) {}

  /** @throws ApiError 422 */
  check(email: Unsubscribable): void {
    const { id: emailId, accountId, html, text, inTemplate, topicId, recipients } = email;
    const count = inTemplate ?? unsubscribeUrlsIn(html) + unsubscribeUrlsIn(text);
    if (count === 0) return;
    if (count > MAX) throw ApiError.invalid(`${NAME} may stand in an email up to ${MAX} times (got ${count}).`);
    if (!this.links) throw ApiError.invalid(`${NAME} cannot be used: this server makes no unsubscribe links.`);
    if (topicId === null) throw ApiError.invalid(`${NAME} needs \`topic_id\`: the link unsubscribes from a topic.`);
    if (recipients.length > 1 && !isSplit(this.recipientsPerMessage, email)) {
      throw ApiError.invalid(
        `${NAME} needs an email to one recipient: in a message to several, one could unsubscribe another. Send one email to each.`,
      );
    }
    const [address] = recipients;
    if (address !== undefined && this.links.linkOf({ accountId, emailId, topicId, address }) === undefined) {
      throw ApiError.invalid(
        `${NAME} cannot be used: this server makes no links. Its operator sets \`secretKeys\` (\`SECRET_KEY\`) and \`publicUrl\` (\`PUBLIC_URL\`).`,
      );
    }
  }
}
