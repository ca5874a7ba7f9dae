import { TemplateText } from '../../../shared/text/template-text.js';
import { readValues } from '../../../shared/validation/read-fields.js';
import { inTurns } from '../../../shared/work/slices.js';
import type { PublishedTemplate } from '../../ports/template-source.js';
import { PreviewTemplateDto } from './preview-template.dto.js';
import { FilledTemplate, parseTemplate, type RenderedTemplate } from './template-renderer.js';

/** Options of a preview. */
export interface PreviewOptions {
  /** Called before rendering with the bytes of the result; resolves when that memory is available. */
  makeRoom?: (bytes: number) => Promise<void>;
}

/**
 * Renders an email of this template, for an editor of templates. Nothing is sent or stored. Long ones are rendered in
 * slices, so that they do not block the event loop.
 *
 * @param variables as in `template.variables` of `POST /emails` (contract, section 2.1). Default: none
 * @throws ApiError 422 where `POST /emails` would refuse: a missing variable, one of the wrong type, or a `{{` without
 * a placeholder
 *
 * @example
 * ```ts
 * const template: PublishedTemplate = {
 *   from: 'hi@shop.example',
 *   subject: 'Welcome, {{NAME}}',
 *   replyTo: [],
 *   html: '<p>Hello {{NAME}}</p>',
 *   text: null,
 *   variables: [{ key: 'NAME', type: 'string', fallback: null }],
 * };
 * const { subject, html } = await previewTemplate(template, { NAME: 'Jane' });
 * ```
 */
export async function previewTemplate(
  template: PublishedTemplate,
  variables?: Readonly<Record<string, string | number>>,
  { makeRoom }: PreviewOptions = {},
): Promise<RenderedTemplate> {
  const given = readValues({ variables }, PreviewTemplateDto).variables;
  const parts = await parseTemplate(template, (text) => inTurns(TemplateText.of(text)));
  const filled = new FilledTemplate(parts, given);
  await makeRoom?.(filled.bytes);
  return filled.render();
}
