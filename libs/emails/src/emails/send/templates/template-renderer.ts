import { ApiError } from '../../../shared/errors/api-error.js';
import type { TemplateKey, TemplateText } from '../../../shared/text/template-text.js';
import { hasControl } from '../../../shared/text/text-rules.js';
import { UNSUBSCRIBE_URL_KEYS } from '../../../shared/text/unsubscribe-url.js';
import { inTurns } from '../../../shared/work/slices.js';
import { EMAIL_LIMITS } from '../../limits.js';
import type { PublishedTemplate, TemplateVariable } from '../../ports/template-source.js';

/** Content of an email from a template; null if the template has none. */
export interface RenderedTemplate {
  subject: string | null;
  html: string | null;
  text: string | null;
}

/** Values for the keys of templates. */
export type TemplateValues = Readonly<Record<string, string | number>>;

/** A published template with parsed texts. */
export interface TemplateInParts
  extends Pick<PublishedTemplate, 'id' | 'from' | 'replyTo' | 'variables' | 'sensitive'> {
  subject: TemplateText | null;
  html: TemplateText | null;
  text: TemplateText | null;
}

/** @throws ApiError 422 for an invalid template */
export async function parseTemplate(
  { id, from, replyTo, variables, sensitive, ...texts }: PublishedTemplate,
  get: (text: string) => TemplateText | Promise<TemplateText>,
): Promise<TemplateInParts> {
  const parts = async (text: string | null) => (text === null ? null : get(text));
  const [subject, html, text] = await Promise.all([parts(texts.subject), parts(texts.html), parts(texts.text)]);
  return { id, from, replyTo, variables, sensitive, subject, html, text };
}

/**
 * An email of a template before rendering, with known length. `{{KEY}}` is escaped in html, and nowhere else. Every
 * declared variable needs a value or a fallback, every used key needs a value; undeclared variables are ignored. The
 * placeholder for the unsubscribe link stays, unless a value is given for it.
 */
export class FilledTemplate {
  /** Bytes of the result, as UTF-8. */
  readonly bytes: number;
  /** Placeholders for the unsubscribe link in html and text, which stay in the result. */
  readonly unsubscribeUrls: number;
  private readonly subject: FilledText | null;
  private readonly html: FilledText | null;
  private readonly text: FilledText | null;

  /** @throws ApiError 422 naming the variable that is missing or of the wrong type, or for too long a result */
  constructor(
    readonly template: TemplateInParts,
    variables: TemplateValues,
  ) {
    const values = new Values(template.variables, variables);
    const isUrlKey = ({ key }: TemplateKey) => !values.has(key) && isUnsubscribeUrlKey(key);
    const fill = (text: TemplateText | null, isHtml = false) =>
      text && new FilledText(text, (key) => (isUrlKey(key) ? `{{{${key.key}}}}` : values.of(key, isHtml)));
    if (template.subject?.keys.some(isUrlKey)) throw ApiError.invalid(URL_IN_SUBJECT);
    this.subject = fill(template.subject);
    this.html = fill(template.html, true);
    this.text = fill(template.text);
    const all = [this.subject, this.html, this.text].filter((text) => text !== null);
    if (all.reduce((sum, { length }) => sum + length, 0) > MAX_LENGTH) {
      throw ApiError.invalid(`The template filled with these variables is longer than ${MAX_LENGTH} characters.`);
    }
    this.unsubscribeUrls = (this.html?.uses(isUrlKey) ?? 0) + (this.text?.uses(isUrlKey) ?? 0);
    this.bytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Renders it, in slices.
   *
   * @throws ApiError 422 when a value in the subject is not one line
   */
  async render(): Promise<RenderedTemplate> {
    const subject = this.subject && (await this.subject.render());
    if (subject !== null && hasControl(subject)) {
      throw ApiError.invalid(
        'The variables used in the subject must not contain line breaks or other control characters.',
      );
    }
    const html = this.html && (await this.html.render());
    return { subject, html, text: this.text && (await this.text.render()) };
  }
}

/**
 * One text of a template with values for its keys. Escaped values are not cached, because they are up to six times as
 * long.
 */
class FilledText {
  /** Characters. */
  readonly length: number;
  readonly bytes: number;

  constructor(
    private readonly text: TemplateText,
    private readonly valueFor: (key: TemplateKey) => string,
  ) {
    let { length, bytes } = text.literal;
    for (const [index, key] of text.keys.entries()) {
      const value = valueFor(key);
      const uses = text.uses[index] ?? 0;
      length += uses * value.length;
      bytes += uses * Buffer.byteLength(value);
    }
    this.length = length;
    this.bytes = bytes;
  }

  /** Number of uses of these keys. */
  uses(isWanted: (key: TemplateKey) => boolean): number {
    return this.text.keys.reduce((sum, key, at) => sum + (isWanted(key) ? (this.text.uses[at] ?? 0) : 0), 0);
  }

  render(): Promise<string> {
    return inTurns(this.text.fill(this.text.keys.map(this.valueFor)));
  }
}

/** Values of the keys of one template. */
class Values {
  private readonly declared = new Map<string, string>();

  constructor(
    declared: readonly TemplateVariable[],
    private readonly variables: TemplateValues,
  ) {
    for (const { key, type, fallback } of declared) {
      const given = this.given(key);
      if (type === 'number' && typeof given === 'string') {
        throw ApiError.invalid(`The template variable \`${key}\` must be a number.`);
      }
      const value = given ?? fallback;
      if (value === null) throw missing(key);
      this.declared.set(key, String(value));
    }
  }

  has(key: string): boolean {
    return this.declared.has(key) || this.given(key) !== undefined;
  }

  of({ key, raw }: TemplateKey, isHtml: boolean): string {
    const value = this.declared.get(key) ?? this.given(key);
    if (value === undefined) throw missing(key);
    return isHtml && !raw ? escapeHtml(String(value)) : String(value);
  }

  /** Own properties only: `constructor` and the like exist in every object, but no caller gave them. */
  private given(key: string): string | number | undefined {
    return Object.hasOwn(this.variables, key) ? this.variables[key] : undefined;
  }
}

const URL_IN_SUBJECT =
  'The subject of the template has the placeholder for the unsubscribe link, which only html and text may have.';

function isUnsubscribeUrlKey(key: string): boolean {
  return UNSUBSCRIBE_URL_KEYS.some((one) => one === key);
}

function missing(key: string): ApiError {
  return ApiError.invalid(
    `The template variable \`${key}\` is missing and has no fallback. Give it in \`template.variables\`.`,
  );
}

/** Safe as content of an element and as value of an attribute, even without quotes. */
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

const MAX_LENGTH = EMAIL_LIMITS.fromTemplate.max;
