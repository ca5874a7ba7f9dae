import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { AreAddresses } from './are-addresses.js';
import { IsSuppressionOrigin } from './is-suppression-origin.js';
import type { SuppressionOrigin } from './suppression-origin.js';

/** The body of `POST /suppressions/batch/add`. */
export class AddSuppressionsDto {
  @Field({ description: 'Addresses without names. All are added, or none.' })
  @AreAddresses()
  emails!: string[];

  @Field({
    description: 'Why they are suppressed, for a list that comes from elsewhere.',
    schema: { default: 'manual' },
  })
  @IsOptional()
  @IsSuppressionOrigin()
  origin?: SuppressionOrigin | undefined;
}
