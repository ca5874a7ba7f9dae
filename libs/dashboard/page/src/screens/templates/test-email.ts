import type { TestAddresses } from './browser-store';
import type { EditedTemplate } from './edited-template';
import type { Samples } from './edited-variables';
import { escapeHtml, fillTemplateText } from './template-text';

interface TestEmailOptions {
  templateId: string;
  fields: EditedTemplate;
  samples: Samples;
  /** True if the published version equals the fields. */
  isPublished: boolean;
  addresses: TestAddresses;
}

/** The body of `POST /emails`: the published template by its id, or an unpublished draft as html and text. */
export function testEmail({ templateId, fields, samples, isPublished, addresses }: TestEmailOptions) {
  const to = addresses.to.trim();
  const isFromTemplate = fields.from.trim() !== '';
  if (isPublished) {
    return {
      ...(!isFromTemplate && { from: addresses.from.trim() }),
      to,
      template: { id: templateId, variables: samples.given },
    };
  }
  const replyTo = fields.replyTo.split('\n').filter((line) => line.trim() !== '');
  return {
    from: isFromTemplate ? fields.from : addresses.from.trim(),
    to,
    subject: fillTemplateText(fields.subject, samples.shown),
    ...(replyTo.length > 0 && { reply_to: replyTo }),
    ...(fields.html !== '' && { html: fillTemplateText(fields.html, samples.shown, escapeHtml) }),
    ...(fields.text !== '' && { text: fillTemplateText(fields.text, samples.shown) }),
  };
}
