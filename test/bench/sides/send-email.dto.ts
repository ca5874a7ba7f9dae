/** The body of `POST /emails` as users of class-validator write it down, with the library's own rules where it has some. */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

/** The library does not export its rules: taken by their path. */
const DIST = new URL('../../../libs/emails/dist/emails/send/', import.meta.url).href;
const { mailboxes, oneMailbox } = await import(`${DIST}request/mailbox-rules.js`);
const { additionalHeaders } = await import(`${DIST}request/headers-rule.js`);
const { templateVariables } = await import(`${DIST}request/template-variables-rule.js`);
const { wrongSubject } = await import(`${DIST}request/header-text.js`);
const { parseScheduledAt } = await import(`${DIST}request/scheduled-at.js`);
const { isContentId } = await import(`${DIST}attachments/content-id.js`);
const { isFilename, isMediaType } = await import(`${DIST}attachments/media-type.js`);

const TAG = /^[A-Za-z0-9_-]{1,256}$/;

function Passes(name: string, validate: (value: unknown) => boolean): PropertyDecorator {
  return ValidateBy({ name, validator: { validate } });
}

const IsMailboxes = () => Passes('isMailboxes', (value) => mailboxes(value) === undefined);

class TemplateDto {
  @IsString()
  @Length(1, 255)
  id!: string;

  @Passes('isTemplateVariables', (value) => templateVariables(value) === undefined)
  variables: Record<string, string | number> = {};
}

class AttachmentDto {
  @IsOptional()
  content?: unknown;

  @IsOptional()
  @IsString()
  @MaxLength(2048)
  path?: string;

  @IsOptional()
  @Passes('isFilename', isFilename)
  filename?: string;

  @IsOptional()
  @Passes('isContentType', isMediaType)
  content_type?: string;

  @IsOptional()
  @Passes('isContentId', isContentId)
  content_id?: string;
}

class TagDto {
  @Matches(TAG)
  name!: string;

  @Matches(TAG)
  value!: string;
}

export class SendEmailDto {
  @IsOptional()
  @Passes('isMailbox', (value) => oneMailbox(value) === undefined)
  from?: string;

  @IsDefined()
  @IsMailboxes()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  to!: string[];

  @IsMailboxes()
  @ArrayMaxSize(50)
  cc: string[] = [];

  @IsMailboxes()
  @ArrayMaxSize(50)
  bcc: string[] = [];

  @IsMailboxes()
  @ArrayMaxSize(50)
  reply_to: string[] = [];

  @IsOptional()
  @Passes('isSubject', (value) => wrongSubject(value) === undefined)
  subject?: string;

  @IsOptional()
  @IsString()
  html?: string;

  @IsOptional()
  @IsString()
  text?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => TemplateDto)
  template?: TemplateDto;

  @Passes('isHeaders', (value) => additionalHeaders(value) === undefined)
  headers: Record<string, string> = {};

  @IsOptional()
  @Passes('isScheduledAt', (value) => typeof value === 'string' && parseScheduledAt(value) !== undefined)
  scheduled_at?: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => AttachmentDto)
  attachments: AttachmentDto[] = [];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TagDto)
  tags: TagDto[] = [];

  @IsOptional()
  @IsUUID('all')
  topic_id?: string;
}
