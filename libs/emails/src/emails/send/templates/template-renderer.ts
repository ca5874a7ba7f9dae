import { ApiError } from '../../../shared/errors/api-error.js';
import { parseTemplate, type TemplatePart } from '../../../shared/text/template-text.js';
import { hasControl } from '../../../shared/text/text-rules.js';
import type { PublishedTemplate } from '../../ports/template-source.js';

/** What an email of a template says; null where the template says nothing. */
export interface RenderedTemplate {
  subject: string | null;
  html: string | null;
  text: string | null;
}

/**
 * Puts the variables into the template. `{{KEY}}` is escaped in html, nothing else is. Every declared variable must be
 * given or have a fallback, every key that is used must have a value; variables that the template does not know are
 * ignored.
 *
 * @throws ApiError 422 naming the variable that is missing or of the wrong type
 */
export function renderTemplate(
  template: PublishedTemplate,
  variables: Readonly<Record<string, string | number>>,
): RenderedTemplate {
  const values = new Values(template, variables);
  const rendered = {
    subject: template.subject === null ? null : values.fill(template.subject, asItIs),
    html: template.html === null ? null : values.fill(template.html, escapeHtml),
    text: template.text === null ? null : values.fill(template.text, asItIs),
  };
  if (rendered.subject !== null && hasControl(rendered.subject)) {
    throw ApiError.invalid(
      'The variables used in the subject must not contain line breaks or other control characters.',
    );
  }
  return rendered;
}

/** What the keys of one template stand for, and how much was made of it so far. */
class Values {
  private readonly declared = new Map<string, string>();
  private length = 0;

  constructor(
    template: PublishedTemplate,
    private readonly variables: Readonly<Record<string, string | number>>,
  ) {
    for (const { key, type, fallback } of template.variables) {
      const given = this.given(key);
      if (type === 'number' && typeof given === 'string') {
        throw ApiError.invalid(`The template variable \`${key}\` must be a number.`);
      }
      const value = given ?? fallback;
      if (value === null) throw missing(key);
      this.declared.set(key, String(value));
    }
  }

  fill(source: string, encode: (value: string) => string): string {
    return parseTemplate(source)
      .map((part) => this.count(typeof part === 'string' ? part : this.valueFor(part, encode)))
      .join('');
  }

  private valueFor({ key, raw }: Exclude<TemplatePart, string>, encode: (value: string) => string): string {
    const value = this.declared.get(key) ?? this.given(key);
    if (value === undefined) throw missing(key);
    return raw ? String(value) : encode(String(value));
  }

  /** Own properties only: `constructor` and the like exist in every object, but nobody gave them. */
  private given(key: string): string | number | undefined {
    return Object.hasOwn(this.variables, key) ? this.variables[key] : undefined;
  }

  private count(text: string): string {
    this.length += text.length;
    if (this.length > MAX_LENGTH) {
      throw ApiError.invalid(`The template filled with these variables is longer than ${MAX_LENGTH} characters.`);
    }
    return text;
  }
}

function missing(key: string): ApiError {
  return ApiError.invalid(
    `The template variable \`${key}\` is missing and has no fallback. Give it in \`template.variables\`.`,
  );
}

function asItIs(value: string): string {
  return value;
}

/** Safe as content of an element and as value of an attribute, even of one without quotes. */
function escapeHtml(value: string): string {
  return value.replace(/[&<>"'`=]/g, (character) => HTML_ESCAPES.get(character) ?? '');
}

const HTML_ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
  ['`', '&#x60;'],
  ['=', '&#x3D;'],
]);

/** A small template can ask for one long value many times. */
const MAX_LENGTH = 10_000_000;
