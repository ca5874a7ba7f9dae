import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { ApiError } from '../../../shared/errors/api-error.js';
import { traced } from '../../../shared/tracing/tracing.js';
import { Turns } from '../../../shared/work/slices.js';
import type { NewEmail } from '../../storage/email.repository.js';
import type { AcceptanceOptions } from '../acceptance.service.js';
import type { AnswersService, Made } from '../answers/answers.service.js';
import type { AttachmentResolver } from '../attachments/attachment-resolver.js';
import type { EmailComposer } from '../email-composer.js';
import type { EmailRequest } from '../request/email-request.js';
import type { RequestTemplates } from '../templates/request-templates.js';
import { type BatchItem, hashItem, readItem, refusalOf, refusalOfAll } from './batch-item.js';

/** Most emails of one batch. */
export const MAX_EMAILS = 100;
const ENDPOINT = '/emails/batch';

/** `strict`: one email that is wrong refuses all. `permissive`: the others are accepted. */
export type BatchValidation = 'strict' | 'permissive';
export const BATCH_VALIDATIONS: readonly BatchValidation[] = ['strict', 'permissive'];

/** Why an email of a batch was not accepted. */
export interface BatchError {
  /** Its place in the request, from 0. */
  index: number;
  message: string;
}

/** The answer to a batch (contract, section 2.5). */
export interface BatchAnswer {
  /** The accepted emails, in the order of the request. */
  data: { id: string }[];
  /** Of a permissive batch. */
  errors?: BatchError[];
}

export interface AcceptedBatch {
  answer: BatchAnswer;
  /** True when an earlier request with the same idempotency key got this answer. */
  replayed: boolean;
}

/** Makes committed emails of a batch, all of those that are not refused or none. */
@Injectable()
export class BatchService {
  constructor(
    private readonly answers: AnswersService,
    private readonly composer: EmailComposer,
    private readonly resolver: AttachmentResolver,
  ) {}

  /**
   * Resolves once the emails are committed, or written within `manager`'s transaction.
   *
   * @param emails as they came, their shape not checked
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
    if (emails.length === 0 || emails.length > MAX_EMAILS) {
      throw ApiError.invalid(`A batch must have 1 to ${MAX_EMAILS} emails.`);
    }
    const now = new Date();
    const items = await readItems(emails, validation);
    const { idempotencyKey: key, manager } = options;
    const hash = () => hashBatch(items, validation);
    const templates = this.composer.templatesOf(accountId);
    try {
      const { answer, replayed } = await this.answers.answer(
        { accountId, endpoint: ENDPOINT, key, hash, manager },
        () => this.make(accountId, items, { validation, now, templates, ...options }),
      );
      return { answer: answer as BatchAnswer, replayed };
    } finally {
      templates.close();
    }
  }

  private async make(
    accountId: string,
    asked: readonly BatchItem[],
    { validation, now, templates, manager, memory }: Making,
  ): Promise<Made> {
    const items = await prepared(asked, validation, templates);
    const composer = this.composer.forMany();
    const attachments = this.resolver.forBatch(accountId, manager, memory);
    const attach = attachments.resolve.bind(attachments);
    const emails: NewEmail[] = [];
    const errors: BatchError[] = [];
    const turns = new Turns();
    for (const item of items) {
      await turns.pass();
      try {
        if ('refusal' in item) throw item.refusal;
        emails.push(await composer.compose(accountId, item.request, { now, claim: null, manager, templates, attach }));
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

/** @throws ApiError for the first that is wrong, of a strict batch: nothing else is asked then */
async function readItems(emails: readonly unknown[], validation: BatchValidation): Promise<BatchItem[]> {
  const turns = new Turns();
  const items: BatchItem[] = [];
  // Also what is left out in the array of a host.
  for (let at = 0; at < emails.length; at++) {
    await turns.pass();
    const item = readItem(emails[at], at);
    if (validation === 'strict' && 'refusal' in item) throw refusalOfAll(item.refusal, at);
    items.push(item);
  }
  return items;
}

/**
 * The items, those refused whose template refuses them. There is memory for what is made of the templates of the others.
 *
 * @throws ApiError of a strict batch, for the first of these
 */
async function prepared(
  items: readonly BatchItem[],
  validation: BatchValidation,
  templates: RequestTemplates,
): Promise<readonly BatchItem[]> {
  const places = new Map<EmailRequest, BatchItem>();
  for (const item of items) if ('request' in item && item.request.template) places.set(item.request, item);
  if (places.size === 0) return items;
  const refused = new Map<BatchItem, ApiError>();
  await templates.prepare([...places.keys()], (request, error) => {
    const item = places.get(request) as BatchItem;
    const refusal = refusalOf(error);
    if (validation === 'strict') throw refusalOfAll(refusal, item.at);
    refused.set(item, refusal);
  });
  return items.map((item) => {
    const refusal = refused.get(item);
    return refusal ? { at: item.at, asked: item.asked, refusal } : item;
  });
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
