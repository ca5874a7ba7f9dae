import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MessageRecipient, UnsubscribeMailbox } from '../../index.js';
import type { SecretKeys } from '../../shared/keys/secret-keys.js';
import { fromBase32, toBase32 } from './base32.js';

/** In front of the token, as `b+` is for reports. */
const PREFIX = 'u+';
/** Version 1 ‖ id of the email 16 ‖ index of the recipient 2 ‖ signature 10. Bytes. */
const VERSION = 1;
const BODY = 19;
const SIGNATURE = 10;
const TEXT_LENGTH = Math.ceil(((BODY + SIGNATURE) * 8) / 5);
const MAX_INDEX = 0xffff;

/**
 * Addresses to which recipients write to unsubscribe: `u+TOKEN@` the bounce domain, whose local part has 49 octets of the
 * 64 of RFC 5321 section 4.5.3.1.1. The token names nobody, cannot be forged, and does not expire; it leads to the email
 * as long as that is kept.
 */
export class UnsubscribeAddresses implements UnsubscribeMailbox {
  private readonly keys: readonly Buffer[];

  constructor(
    private readonly domain: string,
    secretKeys: SecretKeys,
  ) {
    this.keys = secretKeys.for('unsubscribe mail v1').all.map(({ key }) => key);
  }

  /** Undefined without a secret. */
  addressOf({ emailId, recipient }: MessageRecipient): string | undefined {
    const [key] = this.keys;
    if (!key || recipient > MAX_INDEX) return undefined;
    const body = Buffer.alloc(BODY);
    body[0] = VERSION;
    body.write(emailId.replaceAll('-', ''), 1, 'hex');
    body.writeUInt16BE(recipient, 17);
    return `${PREFIX}${toBase32(Buffer.concat([body, signatureOf(body, key)]))}@${this.domain}`;
  }

  /** The recipient whose address it is, in any letter case; undefined for another address. */
  recipientOf(address: string): MessageRecipient | undefined {
    const [text, end] = [address.toLowerCase(), `@${this.domain}`];
    if (!text.startsWith(PREFIX) || !text.endsWith(end)) return undefined;
    const token = text.slice(PREFIX.length, -end.length);
    const bytes = token.length === TEXT_LENGTH ? fromBase32(token) : undefined;
    if (bytes?.length !== BODY + SIGNATURE || bytes[0] !== VERSION) return undefined;
    const [body, signature] = [bytes.subarray(0, BODY), bytes.subarray(BODY)];
    if (!this.keys.some((key) => timingSafeEqual(signatureOf(body, key), signature))) return undefined;
    const emailId = body.toString('hex', 1, 17).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return { emailId, recipient: body.readUInt16BE(17) };
  }
}

/** HMAC-SHA256, cut to 80 bits (RFC 2104 section 5). */
function signatureOf(body: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE);
}
