import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { domainOf } from '../../shared/mailbox/domain-of.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import type { SenderKey } from '../ports/sender-policy.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { IdempotencyClaim, NewAttachment, NewEmail } from '../storage/accept/emails.repository.js';
import type { JoinedTransaction } from '../storage/accept/transactions.js';
import { termsOf } from '../storage/email-terms.js';
import type { ContentRule } from './content-rule.js';
import type { GivenMessageIds } from './given-message-ids.js';
import { textSize } from './message-size.js';
import { newEmailId } from './new-email-id.js';
import type { AttachmentDto } from './request/attachment.dto.js';
import { wrongSubject } from './request/header-text.js';
import { readScheduledAt } from './request/is-scheduled-at.js';
import type { SendEmailDto } from './request/send-email.dto.js';
import type { SearchWords } from './search-words.js';
import type { SenderPolicies } from './sender-policies.js';
import type { RequestTemplates, TemplateRendering } from './templates/request-templates.js';
import type { UnsubscribeRule } from './unsubscribe-rule.js';

/** The request with its template rendered. */
interface Content extends Pick<NewEmail, 'from' | 'subject' | 'html' | 'text' | 'replyTo' | 'sensitive'> {
  /** Placeholders of its template for the unsubscribe link; undefined without a template. */
  unsubscribeUrls: number | undefined;
  templateId: string | undefined;
}

export interface Composing {
  now: Date;
  claim: IdempotencyClaim | null;
  /** A transaction of the host that the email joins. */
  transaction: JoinedTransaction | undefined;
  /** The request's API key. Default: none. */
  key?: SenderKey | undefined;
  /** Holds the prepared template of the request, if it has one. */
  templates: RequestTemplates | undefined;
  /**
   * Resolves the attachments. `textSize`: bytes of the message without them. `isAlone`: their contents are not shared
   * with other emails.
   */
  attach: (requests: readonly AttachmentDto[], textSize: number, isAlone: boolean) => Promise<NewAttachment[]>;
}

/** Turns a valid request into the email to write. */
@Injectable()
export class EmailComposer {
  constructor(
    private readonly rendering: TemplateRendering,
    private readonly topicPolicy: Pick<TopicPolicy, 'exists'> | undefined,
    private readonly messageIds: GivenMessageIds,
    private readonly contentRule: ContentRule,
    private readonly unsubscribeRule: UnsubscribeRule,
    private readonly senders: SenderPolicies,
    private readonly searchWords: SearchWords,
  ) {}

  /** A composer for the emails of one request, which checks each topic once. */
  forMany(): EmailComposer {
    const { rendering, topicPolicy, messageIds, contentRule, unsubscribeRule, senders, searchWords } = this;
    return new EmailComposer(
      rendering,
      topicPolicy && { exists: once((accountId, id) => topicPolicy.exists(accountId, id)) },
      messageIds.forMany(),
      contentRule,
      unsubscribeRule,
      senders.forMany(),
      searchWords,
    );
  }

  /** Prepares requests with a template before they are composed. */
  templatesOf(accountId: string): RequestTemplates {
    return this.rendering.open(accountId);
  }

  /** @throws ApiError when the request is refused */
  async compose(
    accountId: string,
    request: SendEmailDto,
    { now, claim, transaction, templates, attach, key }: Composing,
  ): Promise<NewEmail> {
    const { scheduled_at, message_id } = request;
    const scheduledAt = scheduled_at === undefined ? null : await readScheduledAt(scheduled_at, now);
    const content = await contentOf(request, templates);
    const { from, subject, html, text, replyTo, sensitive = false, templateId, unsubscribeUrls: inTemplate } = content;
    this.contentRule.check(accountId, html, text);
    const asked = this.senders.check(accountId, from, key);
    const sender = asked && (await asked);
    await this.checkTopic(accountId, request.topic_id);
    const id = newEmailId();
    const { to, cc, bcc, tags, topic_id: topicId = null } = request;
    const recipients = envelopeOf(request);
    this.unsubscribeRule.check({ id, accountId, html, text, inTemplate, topicId, recipients });
    const size = textSize([html ?? '', text ?? '']);
    const sizeOfTexts = typeof size === 'number' ? size : await size;
    const attachments = await attach(request.attachments, sizeOfTexts, sensitive);
    if (message_id !== undefined) await this.messageIds.check(accountId, message_id, transaction);
    // Lists each property: V8 is sixty times slower with an object that starts with a spread and has many more
    // properties.
    return {
      id,
      accountId,
      messageId: message_id ?? messageIdOf(id, from),
      from,
      to,
      cc,
      bcc,
      replyTo,
      subject,
      html,
      text,
      headers: Object.entries(request.headers),
      tags,
      topicId,
      templateId,
      scheduledAt,
      recipients: recipients.map((address) => ({ address, status: 'pending' })),
      terms: termsOf({ from, to, cc, bcc, replyTo, tags, topicId }),
      words: this.searchWords.of({ subject, from, to, cc, bcc }),
      attachments,
      idempotency: claim,
      apiKeyId: sender?.apiKeyId,
      domainId: sender?.domainId,
      sensitive,
      isBulk: request.priority === 'bulk',
    };
  }

  private async checkTopic(accountId: string, topicId: string | undefined): Promise<void> {
    if (topicId === undefined) return;
    if (!this.topicPolicy) throw ApiError.invalid('`topic_id` cannot be used: this server has no topics.');
    if (!(await this.topicPolicy.exists(accountId, topicId))) {
      throw ApiError.invalid('`topic_id` must be the id of a topic.');
    }
  }
}

async function contentOf(request: SendEmailDto, templates: RequestTemplates | undefined): Promise<Content> {
  const template = request.template && (await templates?.render(request));
  const from = request.from ?? template?.from;
  const subject = request.subject ?? template?.subject;
  if (!from) throw ApiError.missingField('from');
  if (!subject) throw ApiError.missingField('subject');
  const wrong = template && wrongSubject(subject);
  if (wrong) throw ApiError.invalid(`The subject of the template, rendered, ${wrong}.`);
  return {
    from,
    subject,
    html: (template ? template.html : request.html) ?? null,
    text: (template ? template.text : request.text) ?? null,
    replyTo: request.reply_to.length > 0 ? request.reply_to : (template?.replyTo ?? []),
    sensitive: request.sensitive ?? template?.sensitive,
    unsubscribeUrls: template?.unsubscribeUrls,
    templateId: template?.id,
  };
}

/** The `Message-ID` of an email without a given one. */
export function messageIdOf(id: string, from: string): string {
  const { envelope } = parseMailbox(from);
  return `<${id}@${domainOf(envelope)}>`;
}

/** Caches the answer to each question. */
function once<Answer>(
  ask: (accountId: string, about: string) => Promise<Answer>,
): (accountId: string, about: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (accountId, about) => {
    const key = JSON.stringify([accountId, about]);
    const answer = answers.get(key) ?? ask(accountId, about);
    answers.set(key, answer);
    return answer;
  };
}

/** The addresses that get a copy, each once. */
export function envelopeOf({ to, cc, bcc }: SendEmailDto): string[] {
  return [...new Set([...to, ...cc, ...bcc].map((mailbox) => parseMailbox(mailbox).envelope))];
}
