import { IsOptional } from 'class-validator';
import { WholeListQueryDto } from '../../shared/http/page-query.dto.js';
import { Field } from '../../shared/validation/field.js';
import { IsLacking } from '../../shared/validation/rules.js';

/** Which contacts `GET /contacts` shows. */
export class ListContactsQueryDto extends WholeListQueryDto {
  @Field()
  @IsOptional()
  @IsLacking('segments')
  segment_id?: string | undefined;

  @Field()
  @IsOptional()
  @IsLacking('segments')
  audience_id?: string | undefined;
}
