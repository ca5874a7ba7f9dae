import { ListOf } from '../../shared/rows/list.dto.js';
import { SentAttachmentDto } from './sent-attachment.dto.js';

/** A page of the attachments of an email. */
export class SentAttachmentListDto extends ListOf(SentAttachmentDto) {}
