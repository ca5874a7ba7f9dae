import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { AttachmentRequest } from './email-request.js';
import { IsContentId, IsContentType, IsFilename } from './validation/is-attachment-name.js';

/** One entry of `attachments` (contract, section 2.2). `content` is decoded, and `path` fetched, by the acceptance. */
export class AttachmentDto implements AttachmentRequest {
  @IsOptional()
  content?: unknown;

  @IsOptional()
  @IsString({ message: 'must be an https:// or http:// URL' })
  @MaxLength(2048, { message: 'takes up to 2048 characters' })
  path?: string;

  @IsOptional()
  @IsFilename()
  filename?: string;

  @IsOptional()
  @IsContentType()
  content_type?: string;

  @IsOptional()
  @IsContentId()
  content_id?: string;
}
