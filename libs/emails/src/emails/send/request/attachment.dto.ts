import { IsOptional } from 'class-validator';
import { Field } from '../../../shared/validation/field.js';
import { IsTextUpTo } from '../../../shared/validation/rules.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { IsContentId, idWithin } from '../attachments/content-id.js';
import { IsFilename, IsMediaType, withPlainParameters } from '../attachments/media-type.js';

/** Base64, or byte values, which SDKs send. */
export type AttachmentContent =
  | string
  | readonly number[]
  | { readonly type: 'Buffer'; readonly data: readonly number[] };

/** A file of an email (contract, section 2.2): exactly one of `content` and `path`. */
export class AttachmentDto {
  @Field({
    description: 'Base64; or byte values, which SDKs send.',
    schema: {
      oneOf: [
        { type: 'string', contentEncoding: 'base64' },
        { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 } },
        {
          type: 'object',
          properties: { type: { const: 'Buffer' }, data: { type: 'array', items: { type: 'integer' } } },
          required: ['type', 'data'],
        },
      ],
    },
  })
  @IsOptional()
  content?: AttachmentContent | undefined;

  @Field({ description: 'Fetched when the request is accepted.', schema: { format: 'uri' } })
  @IsOptional()
  @IsTextUpTo(EMAIL_LIMITS.attachmentUrl.max, `takes up to ${EMAIL_LIMITS.attachmentUrl.max} characters`)
  path?: string | undefined;

  @Field()
  @IsOptional()
  @IsFilename()
  filename?: string | undefined;

  @Field({
    spellings: ['contentType'],
    reads: withPlainParameters,
    examples: ['application/pdf', 'text/calendar; method=REQUEST'],
  })
  @IsOptional()
  @IsMediaType()
  content_type?: string | undefined;

  @Field({
    spellings: ['contentId', 'inline_content_id', 'inlineContentId'],
    reads: idWithin,
    description: 'Makes it inline, for `cid:` in html.',
    examples: ['logo'],
  })
  @IsOptional()
  @IsContentId()
  content_id?: string | undefined;
}
