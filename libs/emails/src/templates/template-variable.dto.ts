import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { LIMITS } from '../shared/limits.js';
import { isLongerThan } from '../shared/text/text-rules.js';
import { RESERVED_KEYS } from '../shared/text/unsubscribe-url.js';
import { Field } from '../shared/validation/field.js';
import { passes, type Rule, ruleDecorator } from '../shared/validation/rule.js';
import { says } from '../shared/validation/sentence.js';

const KEY = new RegExp(`^[A-Za-z0-9_]{1,${LIMITS.variableName.max}}$`);

/** Checked after the form: a declaration would take the place of the value that the key stands for. */
const IsFree = () =>
  ruleDecorator(
    'isFree',
    passes((value) => !RESERVED_KEYS.includes(value as string), `must not be one of ${RESERVED_KEYS.join(', ')}`),
    { not: { enum: RESERVED_KEYS } },
  );

/** A value of the declared type. */
const fallback: Rule = (value, { type }) => {
  if (type === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number, as `type` says';
  return typeof value === 'string' && !isLongerThan(value, LIMITS.variableText.max)
    ? undefined
    : `must be a string of up to ${LIMITS.variableText.max} characters, as \`type\` says`;
};

const IsFallback = () => ruleDecorator('isFallback', fallback, { type: ['string', 'number', 'null'] });

/** A variable that a template declares. Fields that an answer adds may be sent back. */
export class TemplateVariableDto {
  @Field()
  @Matches(KEY, says(`must have 1 to ${LIMITS.variableName.max} letters, digits and underscores`))
  @IsFree()
  key!: string;

  @Field()
  @IsIn(['string', 'number'], says('must be `string` or `number`'))
  type!: 'string' | 'number';

  @Field({ spellings: ['fallbackValue'], description: 'Absent: every email must give a value.' })
  @IsOptional()
  @IsFallback()
  fallback_value?: string | number | null | undefined;

  @Field()
  @IsOptional()
  @IsString(says('must be a string'))
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsString(says('must be a string'))
  created_at?: string | undefined;

  @Field()
  @IsOptional()
  @IsString(says('must be a string'))
  updated_at?: string | undefined;
}
