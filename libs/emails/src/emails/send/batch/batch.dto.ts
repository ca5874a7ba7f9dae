import { IsOptional } from 'class-validator';
import { AnswerField } from '../../../shared/validation/field.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { SentEmailDto } from '../sent-email.dto.js';
import { BatchErrorDto } from './batch-error.dto.js';

/** The answer to a batch (contract, section 2.5). */
export class BatchDto {
  @AnswerField({ each: SentEmailDto, max: EMAIL_LIMITS.batch.max })
  data!: SentEmailDto[];

  @AnswerField({ each: BatchErrorDto })
  @IsOptional()
  errors?: BatchErrorDto[];
}
