import { isoTime, textOrNull, uuid, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An attachment of an email that was sent (contract, section 3.3). */
export class SentAttachmentDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: textOrNull })
  filename!: string | null;

  @AnswerField({ schema: { type: 'integer' }, description: 'Bytes, before base64.' })
  size!: number;

  @AnswerField({ schema: { type: 'string' }, examples: ['application/pdf'] })
  content_type!: string;

  @AnswerField({ schema: words(['inline', 'attachment']) })
  content_disposition!: 'inline' | 'attachment';

  @AnswerField({ schema: textOrNull, description: 'Without `cid:` and `<…>`.' })
  content_id!: string | null;

  @AnswerField({ schema: { type: 'string', format: 'uri' }, description: 'Needs no key.' })
  download_url!: string;

  @AnswerField({ schema: isoTime, description: 'When `download_url` ends.' })
  expires_at!: string;
}
