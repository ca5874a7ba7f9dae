import { GrowingBytes } from '../bytes/growing-bytes.js';
import { ApiError } from '../errors/api-error.js';
import { inTurns, nextTurn, type Sliced } from '../work/slices.js';
import { parseInSlices } from './json-in-slices.js';
import { type PartedJson, partJson } from './json-parts.js';
import { checkJson } from './json-rules.js';
import { BATCH, JsonScanner, SINGLE } from './json-scanner.js';
import { notJson, notUtf8 } from './malformed.js';

/** Bytes of a body from which on it is parsed in slices. */
const LARGE = 1_000_000;

/** How a body is read. */
export interface JsonRule {
  /**
   * Of an array of emails: files are in each of them, there may be more values, and what nothing can store is for whoever
   * reads an email to find (`checkJson`). Default: false.
   */
  isBatch?: boolean;
}

/**
 * Parses a JSON body; an empty one is `{}`. Files in it (`attachments[].content`) are not made part of a text: a long
 * base64 text becomes a `Base64Text`, an array of bytes a Buffer, and both live on in the memory of the body, which
 * belongs to the result from now on. Long texts of a large body are read in slices. What would cost far more memory than
 * it has bytes is refused before it is parsed.
 */
export class JsonReader {
  private readonly scanner: JsonScanner;

  /** @param body what there is of it, and will be */
  constructor(
    private readonly body: GrowingBytes,
    private readonly rule: JsonRule = {},
  ) {
    this.scanner = new JsonScanner(body, rule.isBatch ? BATCH : SINGLE);
  }

  /** Bytes that it has in memory: less than have come once there was a file written as an array. */
  get size(): number {
    return this.body.size;
  }

  /**
   * Takes the next piece. Until the promise is fulfilled, if there is one, nothing else may be done.
   *
   * @throws ApiError 400 when it is nested too deep or has too many values
   */
  add(piece: Buffer): Promise<void> | undefined {
    this.body.add(piece);
    const scan = this.scanner.scan();
    return scan.next().done ? undefined : nextTurn().then(() => inTurns(scan));
  }

  /**
   * What it is, once it is there.
   *
   * @throws ApiError 400 when it is not JSON, not UTF-8, no object or array, nested too deep or has too many values
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

/** Reads a body that is all there, as `JsonReader` does. */
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
