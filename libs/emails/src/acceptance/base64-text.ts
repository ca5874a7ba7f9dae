import { decodeBase64InPlace } from './base64.js';

/** A long base64 text as the bytes it came in. Decodes them in place, once. */
export class Base64Text {
  private decoded = false;
  private result: Buffer | undefined;

  constructor(private readonly text: Buffer) {}

  /** The bytes, or `undefined` when the text is not base64. */
  bytes(): Buffer | undefined {
    if (!this.decoded) this.result = decodeBase64InPlace(this.text);
    this.decoded = true;
    return this.result;
  }
}
