import { jest } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import { CreateApiKeyDto } from '../../libs/emails/src/access/api-keys/create-api-key.dto.js';
import { UpdateApiKeyDto } from '../../libs/emails/src/access/api-keys/update-api-key.dto.js';
import { CreateContactDto } from '../../libs/emails/src/audience/contacts/create-contact.dto.js';
import { ListContactsQueryDto } from '../../libs/emails/src/audience/contacts/list-contacts-query.dto.js';
import { SetContactTopicsDto } from '../../libs/emails/src/audience/contacts/set-contact-topics.dto.js';
import { UpdateContactDto } from '../../libs/emails/src/audience/contacts/update-contact.dto.js';
import { CreateTopicDto } from '../../libs/emails/src/audience/topics/create-topic.dto.js';
import { UpdateTopicDto } from '../../libs/emails/src/audience/topics/update-topic.dto.js';
import { CreateErasureDto } from '../../libs/emails/src/emails/change/create-erasure.dto.js';
import { UpdateEmailDto } from '../../libs/emails/src/emails/change/update-email.dto.js';
import { ListEmailsQueryDto } from '../../libs/emails/src/emails/read/list-emails-query.dto.js';
import { MetricsQueryDto } from '../../libs/emails/src/emails/read/metrics/metrics-query.dto.js';
import { ShareEmailDto } from '../../libs/emails/src/emails/read/share-email.dto.js';
import { ListEventsQueryDto } from '../../libs/emails/src/emails/read/timeline/list-events-query.dto.js';
import { SendEmailDto } from '../../libs/emails/src/emails/send/request/send-email.dto.js';
import { ResendEmailDto } from '../../libs/emails/src/emails/send/resend/resend-email.dto.js';
import { AddSuppressionDto } from '../../libs/emails/src/feedback/suppressions/add-suppression.dto.js';
import { AddSuppressionsDto } from '../../libs/emails/src/feedback/suppressions/add-suppressions.dto.js';
import { ListSuppressionsQueryDto } from '../../libs/emails/src/feedback/suppressions/list-suppressions-query.dto.js';
import { RemoveSuppressionsDto } from '../../libs/emails/src/feedback/suppressions/remove-suppressions.dto.js';
import { ApiError } from '../../libs/emails/src/shared/errors/api-error.js';
import type { Dto } from '../../libs/emails/src/shared/validation/dto-fields.js';
import { DtoReader } from '../../libs/emails/src/shared/validation/dto-reader.js';
import { CreateTemplateDto } from '../../libs/emails/src/templates/create-template.dto.js';
import { UpdateTemplateDto } from '../../libs/emails/src/templates/update-template.dto.js';
import { CreateWebhookDto } from '../../libs/emails/src/webhooks/endpoints/create-webhook.dto.js';
import { UpdateWebhookDto } from '../../libs/emails/src/webhooks/endpoints/update-webhook.dto.js';
import { LogQueryDto } from '../../libs/emails/src/webhooks/log/log-query.dto.js';
import { Random } from '../support/basics/random.js';
import { IS_WHOLE } from '../support/jest/sample.js';
import { randomBody } from './random-body.js';

const DTOS: readonly Dto[] = [
  SendEmailDto,
  ResendEmailDto,
  UpdateEmailDto,
  ShareEmailDto,
  CreateErasureDto,
  CreateApiKeyDto,
  UpdateApiKeyDto,
  CreateTopicDto,
  UpdateTopicDto,
  AddSuppressionDto,
  AddSuppressionsDto,
  RemoveSuppressionsDto,
  CreateContactDto,
  UpdateContactDto,
  SetContactTopicsDto,
  CreateTemplateDto,
  UpdateTemplateDto,
  CreateWebhookDto,
  UpdateWebhookDto,
  ListEmailsQueryDto,
  ListEventsQueryDto,
  MetricsQueryDto,
  ListContactsQueryDto,
  ListSuppressionsQueryDto,
  LogQueryDto,
];

/** Random bodies for each class. */
const BODIES = IS_WHOLE ? 180_000 : 2_000;

/** A host's own controller reads the same by our classes as our routes. */
describe.each(DTOS.map((dto): [string, Dto] => [dto.name, dto]))('%s', (_, dto) => {
  it(`is read like with class-transformer and class-validator, of ${BODIES} random bodies`, async () => {
    const random = new Random(jest.getSeed());
    const reader = DtoReader.of(dto);
    const counts = { taken: 0, refused: 0 };
    for (let at = 0; at < BODIES; at++) {
      const body = randomBody(random, dto);
      const ours = read(() => reader.read(body));
      const instance = plainToInstance(dto, body);
      const errors = await validate(instance, { whitelist: true, forbidNonWhitelisted: true });
      const theirs = errors.flatMap((error) => pathsOf(error));
      const difference = differenceOf(ours, instance, theirs);
      if (difference) throw new Error(`${difference}\n${JSON.stringify({ body, ours, theirs }, null, 1)}`);
      counts[ours.value ? 'taken' : 'refused'] += 1;
    }
    // Bodies of one side prove nothing about the other.
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(BODIES / 50);
  });
});

interface Reading {
  value?: object;
  refusal?: string;
}

function read(work: () => object): Reading {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 422) return { refusal: error.message };
    throw error;
  }
}

function differenceOf(
  { value, refusal = '' }: Reading,
  instance: object,
  theirs: readonly string[],
): string | undefined {
  if (value) {
    if (theirs.length > 0) return 'Only class-validator refuses this.';
    return canonical(value) === canonical(instance) ? undefined : `Two values: ${canonical(instance)}`;
  }
  if (theirs.length === 0) return 'Only our reader refuses this.';
  const [, path = ''] = /`([^`]*)`/.exec(refusal) ?? [];
  const isNamed =
    path.endsWith('…') || theirs.some((their) => path === their || /^[.[]/.test(path.slice(their.length)));
  return isNamed ? undefined : `Our reader names ${path}.`;
}

/** Path of each invalid field: `attachments[0].path`. */
function pathsOf({ property, constraints, children = [] }: ValidationError, before = ''): string[] {
  const path = /^\d+$/.test(property) ? `${before}[${property}]` : before === '' ? property : `${before}.${property}`;
  return [...(constraints ? [path] : []), ...children.flatMap((child) => pathsOf(child, path))];
}

/** Without undefined values, and independent of the classes of objects. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
