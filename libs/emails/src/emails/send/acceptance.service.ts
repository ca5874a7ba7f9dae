import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { refuseTaken } from '../../shared/rows/refuse-taken.js';
import { traced } from '../../shared/tracing/tracing.js';
import type { MemoryShare } from '../../shared/work/request-memory.js';
import type { EventAnnouncer } from '../observation/event-announcer.js';
import type { Observation } from '../observation/observation.js';
import type { TemplateSource } from '../ports/template-source.js';
import type { TopicPolicy } from '../ports/topic-policy.js';
import type { DeliveryQueue } from '../queue/delivery-queue.js';
import { CommitHooks } from '../storage/commit-hooks.js';
import {
  type EmailStore,
  hasGivenMessageId,
  type IdempotencyClaim,
  looksMade,
  type NewEmail,
} from '../storage/email.repository.js';
import { termsOf } from '../storage/email-terms.js';
import type { AttachmentResolver } from './attachments/attachment-resolver.js';
import { hashRequest } from './idempotency/request-hash.js';
import { textSize } from './message-size.js';
import { newEmailId } from './new-email-id.js';
import type { EmailRequest } from './request/email-request.js';
import { wrongSubject } from './request/header-text.js';
import { readScheduledAt } from './request/scheduled-at.js';
import { renderTemplate } from './templates/template-renderer.js';
import { EmailWriter } from './write/email-writer.js';

const MAX_KEY = 256;

const TAKEN_MESSAGE_ID = '`message_id` must be unique: another email of this account has it.';

export interface AcceptanceRules {
  /** Milliseconds. */
  idempotencyRetention: number;
}

export interface Acceptance {
  id: string;
  /** True when an earlier request with the same idempotency key made this email. */
  replayed: boolean;
}

export interface AcceptanceOptions {
  idempotencyKey?: string | undefined;
  /** A transaction of the host's, which the email joins. Default: its own, shared with concurrent requests. */
  manager?: EntityManager | undefined;
  /** What the request has in memory, until it is answered. */
  memory?: MemoryShare | undefined;
}

/** What the request becomes once its template is rendered. */
type Content = Pick<NewEmail, 'from' | 'subject' | 'html' | 'text' | 'replyTo'>;

/** Makes a committed email of a valid request, or refuses it with nothing written. */
@Injectable()
export class AcceptanceService {
  private readonly writer: EmailWriter;
  private readonly commitHooks = new CommitHooks();

  constructor(
    private readonly repository: EmailStore,
    private readonly queue: Pick<DeliveryQueue, 'wake'>,
    private readonly resolver: AttachmentResolver,
    private readonly templateSource: TemplateSource | undefined,
    private readonly topicPolicy: TopicPolicy | undefined,
    private readonly announcer: EventAnnouncer,
    private readonly observation: Observation,
    private readonly rules: AcceptanceRules,
  ) {
    this.writer = new EmailWriter(repository);
  }

  /**
   * Resolves once the email is committed, or written within `manager`'s transaction. From its commit on it is delivered,
   * or ends in a terminal event.
   *
   * @throws ApiError when the request is refused
   */
  accept(accountId: string, request: EmailRequest, options: AcceptanceOptions = {}): Promise<Acceptance> {
    return traced('emails.accept', { kind: SpanKind.INTERNAL }, async (span) => {
      const acceptance = await this.acceptOnce(accountId, request, new Date(), options);
      span.setAttributes({ 'emails.email_id': acceptance.id, 'emails.replayed': acceptance.replayed });
      return acceptance;
    });
  }

  private async acceptOnce(
    accountId: string,
    request: EmailRequest,
    now: Date,
    options: AcceptanceOptions,
  ): Promise<Acceptance> {
    const { idempotencyKey, manager } = options;
    const started = performance.now();
    const claim = await this.claim(request, idempotencyKey);
    const earlier = claim && (await this.findAnswer(accountId, claim, manager));
    if (earlier) return earlier;

    const email = await this.compose(accountId, request, now, claim, options);
    if (await this.write(email, started, manager)) return { id: email.id, replayed: false };
    // A parallel request with the same key was first. Its key may have expired since, then this one is new again.
    return (
      (claim && (await this.findAnswer(accountId, claim, manager))) ?? this.acceptOnce(accountId, request, now, options)
    );
  }

  /** False when the email's idempotency key is taken. */
  private async write(email: NewEmail, started: number, manager: EntityManager | undefined): Promise<boolean> {
    const writing = manager ? this.repository.acceptWithin(manager, email) : this.writer.write(email);
    const result = await (hasGivenMessageId(email) ? refuseTaken(writing, TAKEN_MESSAGE_ID) : writing);
    if (!result.accepted) return false;
    const { id: emailId, accountId } = email;
    const committed = () => {
      this.observation.accepted({ emailId, duration: performance.now() - started });
      const { firstEvent: type, eventId, eventAt } = result;
      this.announcer.announce([{ id: eventId, createdAt: new Date(eventAt), accountId, emailId, type }]);
      this.queue.wake({ emailId, accountId, fence: 0, delay: result.delay });
    };
    if (manager?.queryRunner) this.commitHooks.add(manager.queryRunner, committed);
    else committed();
    return true;
  }

  private async claim(request: EmailRequest, key: string | undefined): Promise<IdempotencyClaim | null> {
    if (key === undefined) return null;
    if (key === '' || key.length > MAX_KEY) throw ApiError.invalidIdempotencyKey();
    return { key, requestHash: await hashRequest(request), retention: this.rules.idempotencyRetention };
  }

  private async findAnswer(
    accountId: string,
    claim: IdempotencyClaim,
    manager: EntityManager | undefined,
  ): Promise<Acceptance | undefined> {
    const answer = await this.repository.findAnswer(accountId, claim.key, manager);
    if (!answer) return undefined;
    if (answer.requestHash !== claim.requestHash) throw ApiError.idempotencyConflict();
    return { id: answer.emailId, replayed: true };
  }

  private async compose(
    accountId: string,
    request: EmailRequest,
    now: Date,
    claim: IdempotencyClaim | null,
    { manager, memory }: AcceptanceOptions,
  ): Promise<NewEmail> {
    const { scheduled_at, message_id } = request;
    if (message_id !== undefined && looksMade(message_id)) await this.checkMessageId(accountId, message_id, manager);
    const scheduledAt = scheduled_at === undefined ? null : await readScheduledAt(scheduled_at, now);
    const { from, subject, html, text, replyTo } = await this.render(accountId, request);
    await this.checkTopic(accountId, request.topic_id);
    const size = textSize([html ?? '', text ?? '']);
    const sizeOfTexts = typeof size === 'number' ? size : await size;
    const attachments = await this.resolver.resolve(accountId, request.attachments, sizeOfTexts, manager, memory);
    const id = newEmailId();
    const { to, cc, bcc, tags, topic_id: topicId = null } = request;
    // Each by its name: V8 makes an object that begins with another, and has many more properties, sixty times slower.
    return {
      id,
      accountId,
      messageId: message_id ?? `<${id}@${domainOf(from)}>`,
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
      scheduledAt,
      recipients: envelopeOf(request).map((address) => ({ address, status: 'pending' })),
      terms: termsOf({ from, to, cc, bcc, replyTo, tags, topicId }),
      attachments,
      idempotency: claim,
    };
  }

  private async render(accountId: string, request: EmailRequest): Promise<Content> {
    const template = request.template && (await this.renderTemplate(accountId, request, request.template));
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
    };
  }

  private async renderTemplate(
    accountId: string,
    request: EmailRequest,
    { id, variables }: NonNullable<EmailRequest['template']>,
  ) {
    if (request.html !== undefined || request.text !== undefined) {
      throw ApiError.invalid('Give `template`, or `html` and `text`, not both.');
    }
    if (!this.templateSource) throw ApiError.invalid('`template` cannot be used: this server has no templates.');
    const template = await this.templateSource.find(accountId, id);
    if (!template) throw ApiError.invalid('`template.id` must be the id or alias of a published template.');
    return { from: template.from, replyTo: template.replyTo, ...renderTemplate(template, variables) };
  }

  /** Of those that were made, no index says that they are taken. */
  private async checkMessageId(
    accountId: string,
    messageId: string,
    manager: EntityManager | undefined,
  ): Promise<void> {
    const taken = await this.repository.takenMessageIds(accountId, [messageId], manager);
    if (taken.has(messageId)) throw ApiError.invalid(TAKEN_MESSAGE_ID);
  }

  private async checkTopic(accountId: string, topicId: string | undefined): Promise<void> {
    if (topicId === undefined) return;
    if (!this.topicPolicy) throw ApiError.invalid('`topic_id` cannot be used: this server has no topics.');
    if (!(await this.topicPolicy.exists(accountId, topicId))) {
      throw ApiError.invalid('`topic_id` must be the id of a topic.');
    }
  }
}

function domainOf(mailbox: string): string {
  const { envelope } = parseMailbox(mailbox);
  return envelope.slice(envelope.lastIndexOf('@') + 1);
}

/** Every recipient once, whichever of the three fields names it. */
function envelopeOf({ to, cc, bcc }: EmailRequest): string[] {
  return [...new Set([...to, ...cc, ...bcc].map((mailbox) => parseMailbox(mailbox).envelope))];
}
