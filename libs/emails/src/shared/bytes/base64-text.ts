import { inTurns } from '../work/slices.js';
import { decodeBase64InPlace } from './base64.js';

/** A long base64 text as received bytes, which are decoded once and in place. */
export class Base64Text {
  private result: Promise<Buffer | undefined> | undefined;

  constructor(private readonly text: Buffer) {}

  /** The bytes, or `undefined` when the text is not base64. */
  bytes(): Promise<Buffer | undefined> {
    this.result ??= inTurns(decodeBase64InPlace(this.text));
    return this.result;
  }
}
