import { GrowingBytes } from '../bytes/growing-bytes.js';
import { ApiError } from '../errors/api-error.js';
import { inTurns, nextTurn, type Sliced } from '../work/slices.js';
import { parseInSlices } from './json-in-slices.js';
import { type PartedJson, partJson } from './json-parts.js';
import { checkJson } from './json-rules.js';
import { BATCH, JsonScanner, SINGLE } from './json-scanner.js';
import { notJson, notUtf8 } from './malformed.js';

/** Size from which a body is parsed in slices. Bytes. */
const LARGE = 1_000_000;

/** How a body is read. */
export interface JsonRule {
  /**
   * The body is an array of emails: each may have files, more values are allowed, and unstorable text is detected when
   * each email is read (`checkJson`). Default: false.
   */
  isBatch?: boolean;
}

/**
 * Parses a JSON body; an empty one is `{}`. Files in it (`attachments[].content`) do not become strings: a long base64
 * text becomes a `Base64Text`, an array of bytes a Buffer. Both stay in the memory of the body, which belongs to the
 * result from then on. Long texts of a large body are read in slices. A body that would need far more memory than its
 * bytes is refused before parsing.
 */
export class JsonReader {
  private readonly scanner: JsonScanner;

  /** @param body the bytes so far, which grow */
  constructor(
    private readonly body: GrowingBytes,
    private readonly rule: JsonRule = {},
  ) {
    this.scanner = new JsonScanner(body, rule.isBatch ? BATCH : SINGLE);
  }

  /** Bytes in memory: fewer than received once there was a file written as an array. */
  get size(): number {
    return this.body.size;
  }

  /**
   * Adds the next piece. If it returns a promise, wait for it before any other call.
   *
   * @throws ApiError 400 when it is nested too deep or has too many values
   */
  add(piece: Buffer): Promise<void> | undefined {
    this.body.add(piece);
    const scan = this.scanner.scan();
    return scan.next().done ? undefined : nextTurn().then(() => inTurns(scan));
  }

  /**
   * Resolves with the value once it is complete.
   *
   * @throws ApiError 400 for a body that is not JSON, not UTF-8, not an object or array, nested too deep or with too
   * many values
   */
  async end(): Promise<object> {
    const value = await inTurns(this.value());
    if (typeof value !== 'object' || value === null) {
      throw ApiError.malformed('The request body must be a JSON object.');
    }
    if (!this.rule.isBatch) checkJson(value);
    return value;
  }

  private *value(): Sliced<unknown> {
    const { body, scanner } = this;
    yield* scanner.end();
    if (body.size > LARGE) return yield* parseInSlices(body.bytes, scanner.spans);
    return parse(yield* partJson(body.bytes, scanner.spans));
  }
}

/** Reads a complete body with a `JsonReader`. */
export function readJson(bytes: Buffer, rule?: JsonRule): Promise<object> {
  return new JsonReader(GrowingBytes.of(bytes), rule).end();
}

function parse({ rest, parts }: PartedJson): unknown {
  const text = decodeUtf8(rest);
  if (text === '') return {};
  try {
    return parts.size === 0 ? JSON.parse(text) : JSON.parse(text, (_key, item) => parts.get(item) ?? item);
  } catch {
    throw notJson();
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}
