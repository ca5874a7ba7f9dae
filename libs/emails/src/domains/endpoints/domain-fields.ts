import { IsIn, IsOptional } from 'class-validator';
import { thisServerHasNo } from '../../shared/text/this-server-has-no.js';
import { Field } from '../../shared/validation/field.js';
import { ruleDecorator } from '../../shared/validation/rule.js';
import { IsLacking } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';

const CAPABILITIES = ['enabled', 'disabled'] as const;

/** Resend's capabilities of a domain. This server receives no mail. */
export class CapabilitiesDto {
  @Field({ description: '`disabled`: the domain counts as not verified.' })
  @IsOptional()
  @IsIn(CAPABILITIES, says('must be `enabled` or `disabled`'))
  sending?: (typeof CAPABILITIES)[number] | undefined;

  @Field()
  @IsOptional()
  @IsIn(['disabled'], says(`must be \`disabled\`. ${thisServerHasNo('received emails')}`))
  receiving?: 'disabled' | undefined;
}

/** False, which is what this server does. */
const IsOff = () =>
  ruleDecorator(
    'isOff',
    (value) => (value === false ? undefined : `must be false. ${thisServerHasNo('tracking of opens and clicks')}`),
    { const: false },
  );

/** Fields of Resend's tracking, which is always off here. */
export class TrackingDto {
  @Field()
  @IsOptional()
  @IsOff()
  open_tracking?: false | undefined;

  @Field()
  @IsOptional()
  @IsOff()
  click_tracking?: false | undefined;

  @Field()
  @IsOptional()
  @IsLacking('tracking of opens and clicks')
  tracking_subdomain?: undefined;
}

export const TLS_MODES = ['opportunistic', 'enforced'] as const;
export const ALGORITHMS = ['rsa', 'ed25519'] as const;
