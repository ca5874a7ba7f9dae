import { ArrayMaxSize, IsBoolean, IsOptional } from 'class-validator';
import { LIMITS } from '../shared/limits.js';
import { Field } from '../shared/validation/field.js';
import { says } from '../shared/validation/sentence.js';
import { IsAlias } from './is-alias.js';
import { IsTemplateMailbox, IsTemplateMailboxList } from './is-template-mailbox.js';
import { IsTemplateText } from './is-template-text.js';
import { TemplateVariableDto } from './template-variable.dto.js';

/** Fields of a template, on creation and on change. Null clears a field. */
export class TemplateContentDto {
  @Field({ nullable: true })
  @IsOptional()
  @IsAlias()
  alias?: string | null | undefined;

  @Field({ nullable: true })
  @IsOptional()
  @IsTemplateMailbox()
  from?: string | null | undefined;

  @Field({ nullable: true })
  @IsOptional()
  @IsTemplateText({ oneLine: true, maxCharacters: LIMITS.subject.max })
  subject?: string | null | undefined;

  @Field({ nullable: true, listsOne: true })
  @IsOptional()
  @IsTemplateMailboxList()
  reply_to?: string[] | null | undefined;

  @Field({ nullable: true })
  @IsOptional()
  @IsTemplateText()
  html?: string | null | undefined;

  @Field({ nullable: true, each: TemplateVariableDto, expected: 'an array of `{key, type, fallback_value}`' })
  @IsOptional()
  @ArrayMaxSize(LIMITS.variables.max, says(`takes up to ${LIMITS.variables.max} variables`))
  variables?: TemplateVariableDto[] | null | undefined;

  @Field({
    nullable: true,
    description:
      'True: emails of this template are sensitive unless they say otherwise. Has versions, like the content.',
  })
  @IsOptional()
  @IsBoolean(says('must be true or false'))
  sensitive?: boolean | null | undefined;
}
