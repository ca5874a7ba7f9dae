import { IsIn, IsOptional, Matches } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsLine } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import type { DomainTls } from '../storage/domain.entity.js';
import type { KeyAlgorithm } from '../storage/domain-key.entity.js';
import { AreAlgorithms } from './are-algorithms.js';
import { CapabilitiesDto, TLS_MODES, TrackingDto } from './domain-fields.js';
import { DEFAULT_REGION } from './regions.js';

const LONGEST_TEXT = 1_000;

/** The body of `POST /domains`. */
export class CreateDomainDto extends TrackingDto {
  @Field({ description: 'A domain of yours, also an internationalised one.', examples: ['example.com'] })
  @IsLine(LONGEST_TEXT)
  name!: string;

  @Field({ description: "One of Resend's regions, without meaning.", schema: { default: DEFAULT_REGION } })
  @IsOptional()
  @IsLine(LONGEST_TEXT)
  region?: string | undefined;

  @Field({ description: 'Label of the return path: `send` makes it `send.example.com`.', schema: { default: 'send' } })
  @IsOptional()
  @Matches(
    /^[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i,
    says('must have up to 63 letters, digits and hyphens, a letter first, and a letter or digit last'),
  )
  custom_return_path?: string | undefined;

  @Field({ schema: { default: 'opportunistic' } })
  @IsOptional()
  @IsIn(TLS_MODES, says('must be `opportunistic` or `enforced`'))
  tls?: DomainTls | undefined;

  @Field({ type: CapabilitiesDto, expected: 'an object' })
  @IsOptional()
  capabilities?: CapabilitiesDto | undefined;

  @Field({ description: 'Algorithms of its DKIM keys. Few receivers verify Ed25519.', schema: { default: ['rsa'] } })
  @IsOptional()
  @AreAlgorithms()
  dkim?: KeyAlgorithm[] | undefined;
}
