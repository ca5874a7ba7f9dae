import { GrowingBytes } from '../../shared/bytes/growing-bytes.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { JsonScanner, PLAIN } from '../../shared/json/json-scanner.js';
import { notJson, notUtf8 } from '../../shared/json/malformed.js';
import { storableText } from '../../shared/text/storable-text.js';

/** Limit of a text. Characters. */
const LONGEST = 2_000;

/** JSON of a stranger: each access says what is expected, and gives nothing for anything else. */
export class JsonView {
  private constructor(private readonly value: unknown) {}

  /**
   * Reads bytes before their proof. Those that would need far more time and memory than others of their size are refused
   * before they are parsed.
   *
   * @throws ApiError 400 for bytes that are not JSON in UTF-8, are nested too deep or have too many values
   */
  static ofUnproven(bytes: Buffer): JsonView {
    for (const _ of new JsonScanner(GrowingBytes.of(bytes), PLAIN).end());
    return JsonView.ofBytes(bytes);
  }

  /** @throws ApiError 400 for bytes that are not JSON in UTF-8 */
  static ofBytes(bytes: Buffer): JsonView {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw notUtf8();
    }
    return JsonView.ofText(text);
  }

  /** @throws ApiError 400 for a text that is not JSON */
  static ofText(text: string): JsonView {
    try {
      return new JsonView(JSON.parse(text));
    } catch {
      throw notJson();
    }
  }

  /** A property of an object; of anything else an empty view. */
  at(key: string): JsonView {
    const { value } = this;
    const isThere = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
    return new JsonView(isThere ? (value as Record<string, unknown>)[key] : undefined);
  }

  /** The entries of an array; none of anything else. */
  get items(): JsonView[] {
    return Array.isArray(this.value) ? this.value.map((item) => new JsonView(item)) : [];
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  get isTrue(): boolean {
    return this.value === true;
  }

  /** A text as it came, for signatures and names; undefined for anything else. */
  get exact(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  /** A text or number that can be stored; undefined for anything else, and for a blank one. */
  get text(): string | undefined {
    const { value } = this;
    const text = typeof value === 'string' ? value : Number.isFinite(value) ? String(value) : '';
    return storableText(text, LONGEST).trim() || undefined;
  }

  /** This view, if it is an object. @throws ApiError 400 */
  orRefuse(what: string): JsonView {
    if (!this.isObject) throw ApiError.malformed(`The request body must be ${what}.`);
    return this;
  }
}
