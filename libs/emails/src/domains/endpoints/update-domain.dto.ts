import { IsIn, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsRepeated } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import type { DomainTls } from '../storage/domain.entity.js';
import { CapabilitiesDto, TLS_MODES, TrackingDto } from './domain-fields.js';

/** The body of `PATCH /domains/:id`. */
export class UpdateDomainDto extends TrackingDto {
  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  domain_id?: string | undefined;

  @Field()
  @IsOptional()
  @IsIn(TLS_MODES, says('must be `opportunistic` or `enforced`'))
  tls?: DomainTls | undefined;

  @Field({ type: CapabilitiesDto, expected: 'an object' })
  @IsOptional()
  capabilities?: CapabilitiesDto | undefined;
}
