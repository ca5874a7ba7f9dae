import { domainOf } from '../../shared/mailbox/domain-of.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { unsubscribeUrlsIn, withUnsubscribeUrl } from '../../shared/text/unsubscribe-url.js';
import { EMAIL_LIMITS } from '../limits.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { MessageSigner } from '../ports/message-signer.js';
import type { UnsubscribeLinks } from '../ports/unsubscribe-links.js';
import type { UnsubscribeMailbox } from '../ports/unsubscribe-mailbox.js';
import type { MessageBuilder, MessageContent } from './message-builder.js';

const FIELD = 'List-Unsubscribe';
const POST_FIELD = 'List-Unsubscribe-Post';
/** RFC 8058 section 3.1: the only value of the field, and the body of the POST. */
const ONE_CLICK = 'List-Unsubscribe=One-Click';
/** A longer link does not fit into a line of 998 octets (RFC 5322 section 2.1.1), and nothing may fold it. */
const LONGEST_IN_FIELD = 900;

const MAX = EMAIL_LIMITS.unsubscribeUrls.max;

type Builder = Pick<MessageBuilder, 'build'>;

/** Parts of the application that messages with a topic are asked about. */
export interface UnsubscribeParts {
  links: UnsubscribeLinks;
  /** Default: none, and links are the only way. */
  mailbox?: UnsubscribeMailbox | undefined;
  signers: MessageSigner;
}

/**
 * Builds messages with a topic so that their recipient can unsubscribe: `List-Unsubscribe` (RFC 2369 section 3.2), for a
 * signed message `List-Unsubscribe-Post` (RFC 8058), and the link in place of the placeholders in html and text. Only
 * a message to one recipient has them: with several, one could unsubscribe another.
 */
export class UnsubscribableMessages implements Builder {
  constructor(
    private readonly builder: Builder,
    private readonly parts: UnsubscribeParts,
  ) {}

  async build(
    email: MessageContent,
    recipients: readonly string[],
    hidden: ReadonlySet<string>,
  ): Promise<BuiltMessage> {
    const [address] = recipients;
    const isForOne = address !== undefined && recipients.length === 1;
    return this.builder.build(isForOne ? await this.linked(email, address) : email, recipients, hidden);
  }

  private async linked(email: MessageContent, address: string): Promise<MessageContent> {
    const { id, accountId, topicId, html, text, headers } = email;
    if (topicId === null) return email;
    const isInContent = unsubscribeUrlsIn(html) + unsubscribeUrlsIn(text) > 0;
    const isInHeader = !headers.some(([name]) => name.toLowerCase() === FIELD.toLowerCase());
    if (!isInContent && !isInHeader) return email;
    const link = this.parts.links.linkOf({ accountId, emailId: id, topicId, address });
    if (link === undefined) {
      // Recipients must not see the placeholder.
      if (isInContent) throw new NoUnsubscribeLink();
      return email;
    }
    return {
      ...email,
      html: withUnsubscribeUrl(html, link, MAX),
      text: withUnsubscribeUrl(text, link, MAX),
      headers:
        isInHeader && link.length <= LONGEST_IN_FIELD
          ? [...headers, ...(await this.fields(email, link, address))]
          : headers,
    };
  }

  /** RFC 2369 section 2: the first of several URLs is preferred. */
  private async fields(email: MessageContent, link: string, address: string): Promise<[string, string][]> {
    const { id, accountId, recipients, headers } = email;
    const recipient = recipients.findIndex((one) => one.address === address);
    const mailbox = recipient === -1 ? undefined : this.parts.mailbox?.addressOf({ emailId: id, recipient });
    const value = [link, ...(mailbox === undefined ? [] : [`mailto:${mailbox}`])].map((url) => `<${url}>`).join(', ');
    const hasPost = headers.some(([name]) => name.toLowerCase() === POST_FIELD.toLowerCase());
    const fromDomain = domainOf(parseMailbox(email.from).envelope);
    const isOneClick = !hasPost && link.startsWith('https:') && (await this.parts.signers.signs(accountId, fromDomain));
    return [[FIELD, value], ...(isOneClick ? [[POST_FIELD, ONE_CLICK] satisfies [string, string]] : [])];
  }
}

/** This process knows neither `publicUrl` nor an own address, or has no secret key. */
class NoUnsubscribeLink extends Error {
  override readonly name = 'NoUnsubscribeLink';
}
