import { defaulting } from '../../../shared/validation/field.js';
import { Fields } from '../../../shared/validation/fields.js';
import { readValues } from '../../../shared/validation/read-fields.js';
import type { PublishedTemplate } from '../../ports/template-source.js';
import { templateVariables } from '../request/template-variables-rule.js';
import { type RenderedTemplate, renderTemplate } from './template-renderer.js';

const values = new Fields({ variables: defaulting(() => ({}), templateVariables) });

/**
 * What an email of this template would say, for whoever edits one. Nothing is sent or stored.
 *
 * @param variables as in `template.variables` of `POST /emails` (contract, section 2.1). Default: none
 * @throws ApiError 422 for what `POST /emails` would refuse: a variable that is missing, or of the wrong type, or a `{{`
 *   that is no placeholder
 */
export function previewTemplate(
  template: PublishedTemplate,
  variables?: Readonly<Record<string, string | number>>,
): RenderedTemplate {
  return renderTemplate(template, readValues({ variables }, values).variables);
}
