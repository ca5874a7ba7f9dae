import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsOptional,
  IsString,
  IsUUID,
  ValidateNested,
} from 'class-validator';
import { AttachmentDto } from './attachment.dto.js';
import type { EmailRequest } from './email-request.js';
import { TagDto } from './tag.dto.js';
import { TemplateDto } from './template.dto.js';
import { IsHeaders } from './validation/is-headers.js';
import { IsMailbox, IsMailboxes } from './validation/is-mailbox.js';
import { IsScheduledAt } from './validation/is-scheduled-at.js';
import { IsSubject } from './validation/is-subject.js';
import { UniqueNames } from './validation/unique-names.js';

/** Body of `POST /emails` (contract, section 2.1). Prepared by `readEmailRequest`: lists are lists, absent is absent. */
export class SendEmailDto implements EmailRequest {
  @IsOptional()
  @IsMailbox()
  from?: string;

  @IsDefined()
  @IsMailboxes()
  @ArrayMinSize(1, { message: 'needs at least one recipient' })
  @ArrayMaxSize(50, { message: 'takes up to 50 mailboxes' })
  to!: string[];

  @IsMailboxes()
  @ArrayMaxSize(50, { message: 'takes up to 50 mailboxes' })
  cc: string[] = [];

  @IsMailboxes()
  @ArrayMaxSize(50, { message: 'takes up to 50 mailboxes' })
  bcc: string[] = [];

  @IsMailboxes()
  @ArrayMaxSize(50, { message: 'takes up to 50 mailboxes' })
  reply_to: string[] = [];

  @IsOptional()
  @IsSubject()
  subject?: string;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  html?: string;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  text?: string;

  @IsOptional()
  @ValidateNested({ message: 'must be an object with `id` and optional `variables`' })
  @Type(() => TemplateDto)
  template?: TemplateDto;

  @IsHeaders()
  headers: Record<string, string> = {};

  @IsOptional()
  @IsScheduledAt()
  scheduled_at?: string;

  @IsArray({ message: 'must be an array' })
  @ValidateNested({ each: true, message: 'must be an array of attachments' })
  @Type(() => AttachmentDto)
  attachments: AttachmentDto[] = [];

  @IsArray({ message: 'must be an array' })
  @UniqueNames()
  @ValidateNested({ each: true, message: 'must be an array of `{name, value}`' })
  @Type(() => TagDto)
  tags: TagDto[] = [];

  @IsOptional()
  @IsUUID('all', { message: 'must be the uuid of a topic' })
  topic_id?: string;
}
