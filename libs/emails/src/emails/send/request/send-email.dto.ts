import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { schema } from '../../../shared/openapi/components.js';
import { Field } from '../../../shared/validation/field.js';
import { IsUuid } from '../../../shared/validation/rules.js';
import { says } from '../../../shared/validation/sentence.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { EMAIL_PRIORITIES, type EmailPriority } from '../../states/email-priorities.js';
import { AttachmentDto } from './attachment.dto.js';
import { HaveUniqueNames } from './have-unique-names.js';
import { IsHeaders, numbersAsTexts } from './is-headers.js';
import { IsMailbox, IsMailboxList } from './is-mailbox.js';
import { IsMessageId } from './is-message-id.js';
import { IsScheduledAt } from './is-scheduled-at.js';
import { IsSubject } from './is-subject.js';
import { TagDto } from './tag.dto.js';
import { TAGS_OF_OBJECT, tagsOfObject } from './tags-of-object.js';
import { TemplateDto } from './template.dto.js';

const MAILBOXES = { listsOne: true, schema: schema('Mailboxes') };

/**
 * An email in a request (contract, section 2.1). The values `""`, `null` and `[]` count as absent, except an empty
 * `text`; after reading, absent lists are empty.
 */
export class SendEmailDto {
  @Field({ description: 'Required, here or by the template.' })
  @IsOptional()
  @IsMailbox()
  from?: string | undefined;

  @Field(MAILBOXES)
  @IsMailboxList()
  to!: string[];

  @Field({ ...MAILBOXES, default: () => [] })
  @IsMailboxList()
  cc!: string[];

  @Field({ ...MAILBOXES, default: () => [] })
  @IsMailboxList()
  bcc!: string[];

  @Field({ ...MAILBOXES, default: () => [] })
  @IsMailboxList()
  reply_to!: string[];

  @Field({ description: 'Required, here or by the template.' })
  @IsOptional()
  @IsSubject()
  subject?: string | undefined;

  @Field()
  @IsOptional()
  @IsString(says('must be a string'))
  html?: string | undefined;

  @Field({ keepsEmpty: true, description: 'Absent: derived from `html`. Empty: no text part.' })
  @IsOptional()
  @IsString(says('must be a string'))
  text?: string | undefined;

  @Field({
    type: TemplateDto,
    expected: 'an object with `id` and optional `variables`',
    description: 'A published template, in place of `html` and `text`.',
  })
  @IsOptional()
  template?: TemplateDto | undefined;

  @Field({ reads: numbersAsTexts, default: () => ({}) })
  @IsHeaders()
  headers!: Record<string, string>;

  @Field({
    description: 'For threads: unique within the account (RFC 5322 section 3.6.4). Absent: one is made.',
    examples: ['<order-1234.shipped@example.com>'],
  })
  @IsOptional()
  @IsMessageId()
  message_id?: string | undefined;

  @Field({
    description: 'ISO 8601, or English, in UTC unless a zone is named; in the past: at once.',
    examples: ['2026-11-21T05:26:01Z', 'in 10 minutes', 'Friday at 3pm EST'],
  })
  @IsOptional()
  @IsScheduledAt()
  scheduled_at?: string | undefined;

  @Field({
    each: AttachmentDto,
    max: EMAIL_LIMITS.attachments.max,
    expected: `an array of up to ${EMAIL_LIMITS.attachments.max} attachments`,
    default: () => [],
  })
  attachments!: AttachmentDto[];

  @Field({
    each: TagDto,
    max: EMAIL_LIMITS.tags.max,
    expected: `up to ${EMAIL_LIMITS.tags.max} tags, as an array of \`{name, value}\` or as an object of names and values`,
    reads: tagsOfObject,
    forms: [TAGS_OF_OBJECT],
    default: () => [],
    description: 'An absent value counts as empty.',
  })
  @HaveUniqueNames()
  tags!: TagDto[];

  @Field()
  @IsOptional()
  @IsUuid('must be the uuid of a topic')
  topic_id?: string | undefined;

  @Field({
    description:
      'True: content is not shown, and is deleted as soon as nothing is pending. Absent: as the template says, else false.',
  })
  @IsOptional()
  @IsBoolean(says('must be true or false'))
  sensitive?: boolean | undefined;

  @Field({
    schema: { default: 'now' },
    description: 'The lane that it waits in. Emails in `now` do not wait behind those in `bulk`.',
  })
  @IsOptional()
  @IsIn(EMAIL_PRIORITIES, says('must be `now` or `bulk`'))
  priority?: EmailPriority | undefined;
}
