import { IsArray, IsOptional } from 'class-validator';
import { IsAlias } from './is-alias.decorator.js';
import { IsMailbox, IsMailboxes } from './is-mailbox.decorator.js';
import { IsTemplateText } from './is-template-text.decorator.js';
import type { TemplateVariableRecord } from './read-template-variables.js';

/** What a template may say, on creation and on change. Prepared by `TemplatePipe`. */
export class TemplateContentDto {
  @IsOptional()
  @IsAlias()
  alias?: string | null;

  @IsOptional()
  @IsMailbox()
  from?: string | null;

  @IsOptional()
  @IsTemplateText({ oneLine: true, maxCharacters: 998 })
  subject?: string | null;

  /** One mailbox or a list in the body; here a list. */
  @IsOptional()
  @IsMailboxes()
  reply_to?: string[] | null;

  @IsOptional()
  @IsTemplateText()
  html?: string | null;

  /** Empty: no text part is derived from `html` (contract, section 2.1). */
  @IsOptional()
  @IsTemplateText()
  text?: string | null;

  @IsOptional()
  @IsArray({ message: 'must be an array of `{key, type, fallback_value}`' })
  variables?: TemplateVariableRecord[] | null;
}
