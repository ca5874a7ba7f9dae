import { AnswerField } from '../../shared/validation/field.js';
import { AdvisedRecordDto } from '../records/domain-record.dto.js';
import { ListedDomainDto } from './listed-domain.dto.js';

/** A domain that was created. */
export class NewDomainDto extends ListedDomainDto {
  @AnswerField({ each: AdvisedRecordDto, description: 'All are needed, except an Ed25519 key.' })
  records!: AdvisedRecordDto[];

  @AnswerField({ each: AdvisedRecordDto, description: 'Records that are not needed: DMARC (RFC 9989).' })
  recommended!: AdvisedRecordDto[];
}
