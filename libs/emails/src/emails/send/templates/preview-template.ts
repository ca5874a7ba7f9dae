import { TemplateText } from '../../../shared/text/template-text.js';
import { defaulting } from '../../../shared/validation/field.js';
import { Fields } from '../../../shared/validation/fields.js';
import { readValues } from '../../../shared/validation/read-fields.js';
import { inTurns } from '../../../shared/work/slices.js';
import type { PublishedTemplate } from '../../ports/template-source.js';
import { templateVariables } from '../request/template-variables-rule.js';
import { FilledTemplate, type RenderedTemplate, takeApart } from './template-renderer.js';

const values = new Fields({ variables: defaulting(() => ({}), templateVariables) });

/** How a template is previewed. */
export interface PreviewOptions {
  /** Asked before anything is made, with the bytes that it will have; to be resolved when there is memory for them. */
  makeRoom?: (bytes: number) => Promise<void>;
}

/**
 * What an email of this template would say, for whoever edits one. Nothing is sent or stored. Long ones are made in slices, so
 * that nothing else of the process waits for them.
 *
 * @param variables as in `template.variables` of `POST /emails` (contract, section 2.1). Default: none
 * @throws ApiError 422 for what `POST /emails` would refuse: a variable that is missing, or of the wrong type, or a `{{`
 *   that is no placeholder
 */
export async function previewTemplate(
  template: PublishedTemplate,
  variables?: Readonly<Record<string, string | number>>,
  { makeRoom }: PreviewOptions = {},
): Promise<RenderedTemplate> {
  const given = readValues({ variables }, values).variables;
  const parts = await takeApart(template, (text) => inTurns(TemplateText.of(text)));
  const filled = new FilledTemplate(parts, given);
  await makeRoom?.(filled.bytes);
  return filled.render();
}
