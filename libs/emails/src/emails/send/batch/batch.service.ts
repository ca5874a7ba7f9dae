import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { ApiError } from '../../../shared/errors/api-error.js';
import { traced } from '../../../shared/tracing/tracing.js';
import { Turns } from '../../../shared/work/slices.js';
import { EMAIL_LIMITS } from '../../limits.js';
import type { NewEmail } from '../../storage/accept/emails.repository.js';
import type { AcceptanceOptions } from '../acceptance.service.js';
import { AnswersService, type Made } from '../answers/answers.service.js';
import { AttachmentResolver } from '../attachments/attachment-resolver.js';
import { EmailComposer, envelopeOf } from '../email-composer.js';
import { Quotas } from '../quotas/quotas.js';
import type { SendEmailDto } from '../request/send-email.dto.js';
import type { RequestTemplates } from '../templates/request-templates.js';
import type { BatchDto } from './batch.dto.js';
import type { BatchErrorDto } from './batch-error.dto.js';
import { type BatchItem, hashItem, readItem, refusalOf, refusalOfAll } from './batch-item.js';

const ENDPOINT = '/emails/batch';

/** `strict`: one invalid email refuses all. `permissive`: the others are accepted. */
export type BatchValidation = 'strict' | 'permissive';
export const BATCH_VALIDATIONS: readonly BatchValidation[] = ['strict', 'permissive'];

export interface AcceptedBatch {
  answer: BatchDto;
  /** True when an earlier request with the same idempotency key got this answer. */
  replayed: boolean;
}

/** Turns a batch into committed emails: all that are not refused, or none. */
@Injectable()
export class BatchService {
  constructor(
    private readonly answers: AnswersService,
    private readonly composer: EmailComposer,
    private readonly resolver: AttachmentResolver,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Resolves once the emails are committed, or written within `transaction`.
   *
   * @param emails unchecked, as received
   * @throws ApiError when the batch is refused
   */
  accept(
    accountId: string,
    emails: readonly unknown[],
    validation: BatchValidation,
    options: AcceptanceOptions = {},
  ): Promise<AcceptedBatch> {
    return traced('emails.accept_batch', { kind: SpanKind.INTERNAL }, async (span) => {
      const batch = await this.acceptNow(accountId, emails, validation, options);
      span.setAttributes({ 'emails.count': batch.answer.data.length, 'emails.replayed': batch.replayed });
      return batch;
    });
  }

  private async acceptNow(
    accountId: string,
    emails: readonly unknown[],
    validation: BatchValidation,
    options: AcceptanceOptions,
  ): Promise<AcceptedBatch> {
    if (emails.length === 0 || emails.length > EMAIL_LIMITS.batch.max) {
      throw ApiError.invalid(`A batch must have 1 to ${EMAIL_LIMITS.batch.max} emails.`);
    }
    const now = new Date();
    const items = await readItems(emails, validation);
    const { idempotencyKey: key, transaction } = options;
    const hash = () => hashBatch(items, validation);
    const templates = this.composer.templatesOf(accountId);
    try {
      const { answer, replayed } = await this.answers.answer(
        { accountId, endpoint: ENDPOINT, key, hash, transaction },
        () => this.make(accountId, items, { validation, now, templates, ...options }),
      );
      return { answer: answer as BatchDto, replayed };
    } finally {
      templates.close();
    }
  }

  private async make(
    accountId: string,
    asked: readonly BatchItem[],
    { validation, now, templates, transaction, memory, key }: Making,
  ): Promise<Made> {
    await this.quotas.check(accountId, () => recipientsOf(asked), transaction);
    const items = await prepared(asked, validation, templates);
    const composer = this.composer.forMany();
    const attachments = this.resolver.forBatch(accountId, transaction, memory);
    const attach = attachments.resolve.bind(attachments);
    const emails: NewEmail[] = [];
    const errors: BatchErrorDto[] = [];
    const turns = new Turns();
    for (const item of items) {
      await turns.pass();
      try {
        if ('refusal' in item) throw item.refusal;
        const composing = { now, claim: null, transaction, key, templates, attach };
        emails.push(await composer.compose(accountId, item.request, composing));
      } catch (error) {
        const refusal = refusalOf(error);
        if (validation === 'strict') throw refusalOfAll(refusal, item.at);
        errors.push({ index: item.at, message: refusal.message });
      }
    }
    await attachments.store();
    const data = emails.map(({ id }) => ({ id }));
    return { emails, answer: validation === 'strict' ? { data } : { data, errors } };
  }
}

interface Making extends AcceptanceOptions {
  validation: BatchValidation;
  now: Date;
  templates: RequestTemplates;
}

/** @throws ApiError for the first invalid email of a strict batch, without further checks */
async function readItems(emails: readonly unknown[], validation: BatchValidation): Promise<BatchItem[]> {
  const turns = new Turns();
  const items: BatchItem[] = [];
  // Covers holes in the array of a host.
  for (let at = 0; at < emails.length; at++) {
    await turns.pass();
    const item = readItem(emails[at], at);
    if (validation === 'strict' && 'refusal' in item) throw refusalOfAll(item.refusal, at);
    items.push(item);
  }
  return items;
}

/**
 * The items, with the refusals by their templates. Memory is reserved for the rendered templates of the others.
 *
 * @throws ApiError for the first refusal in a strict batch
 */
async function prepared(
  items: readonly BatchItem[],
  validation: BatchValidation,
  templates: RequestTemplates,
): Promise<readonly BatchItem[]> {
  const itemsByRequest = new Map<SendEmailDto, BatchItem>();
  for (const item of items) if ('request' in item && item.request.template) itemsByRequest.set(item.request, item);
  if (itemsByRequest.size === 0) return items;
  const refused = new Map<BatchItem, ApiError>();
  await templates.prepare([...itemsByRequest.keys()], (request, error) => {
    const item = itemsByRequest.get(request) as BatchItem;
    const refusal = refusalOf(error);
    if (validation === 'strict') throw refusalOfAll(refusal, item.at);
    refused.set(item, refusal);
  });
  return items.map((item) => {
    const refusal = refused.get(item);
    return refusal ? { at: item.at, asked: item.asked, refusal } : item;
  });
}

/** The recipients of all emails that are well formed. */
function recipientsOf(items: readonly BatchItem[]): number {
  return items.reduce((sum, item) => sum + ('request' in item ? envelopeOf(item.request).length : 0), 0);
}

async function hashBatch(items: readonly BatchItem[], validation: BatchValidation): Promise<string> {
  const hashes: string[] = [];
  const turns = new Turns();
  for (const item of items) {
    await turns.pass();
    hashes.push(await hashItem(item));
  }
  return createHash('sha256')
    .update(JSON.stringify([validation, hashes]))
    .digest('hex');
}
