import { IsOptional } from 'class-validator';
import { PageQueryDto } from '../../shared/http/page-query.dto.js';
import { Field } from '../../shared/validation/field.js';
import { IsSuppressionOrigin } from './is-suppression-origin.js';
import type { SuppressionOrigin } from './suppression-origin.js';

/** Which suppressions `GET /suppressions` shows. */
export class ListSuppressionsQueryDto extends PageQueryDto {
  @Field({ description: 'Only entries of this origin.' })
  @IsOptional()
  @IsSuppressionOrigin()
  origin?: SuppressionOrigin | undefined;
}
