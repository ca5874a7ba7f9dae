import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { fromBase32, toBase32 } from './base32.js';

/** Version 1 ‖ id of the email 16 ‖ index of the recipient 2 ‖ signature 10. Bytes. */
const VERSION = 1;
const BODY = 19;
const SIGNATURE = 10;
/** The index of a token that several recipients share. */
const SHARED = 0xffff;
/** Days for which a token is valid: no server reports later, and a stolen one must end. */
const LIFETIME = 45;
const DAY = 86_400_000;

/** The message that a token stands for. */
export interface ReturnPathToken {
  /** A UUID in lower case. */
  emailId: string;
  /** Index of the message's only recipient among those of the email; undefined for a message to several. */
  recipient: number | undefined;
}

/**
 * Tokens of messages, by which a report finds its email: 47 characters of `a-z2-7`, which name nobody and cannot be
 * forged. The signature covers the day, so that a token ends 45 days after its message was made, however long the email
 * was scheduled.
 */
@Injectable()
export class ReturnPathTokens {
  private readonly keys: readonly Buffer[];

  constructor(
    @Inject(SecretKeys) secretKeys: SecretKeys,
    private readonly now: () => number = Date.now,
  ) {
    this.keys = secretKeys.for('return path v1').all.map(({ key }) => key);
  }

  /** Undefined without a secret. */
  sign({ emailId, recipient }: ReturnPathToken): string | undefined {
    const [key] = this.keys;
    if (!key) return undefined;
    const body = Buffer.alloc(BODY);
    body[0] = VERSION;
    body.write(emailId.replaceAll('-', ''), 1, 'hex');
    body.writeUInt16BE(Math.min(recipient ?? SHARED, SHARED), 17);
    return toBase32(Buffer.concat([body, signatureOf(body, this.today, key)]));
  }

  /** Undefined for a text that is no token of ours, and for an old one. Any text may be given. */
  read(text: string): ReturnPathToken | undefined {
    if (text.length !== TEXT_LENGTH) return undefined;
    const bytes = fromBase32(text);
    if (bytes?.length !== BODY + SIGNATURE || bytes[0] !== VERSION) return undefined;
    const [body, signature] = [bytes.subarray(0, BODY), bytes.subarray(BODY)];
    if (!this.keys.some((key) => this.isSigned(body, signature, key))) return undefined;
    const id = body.toString('hex', 1, 17).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const index = body.readUInt16BE(17);
    return { emailId: id, recipient: index === SHARED ? undefined : index };
  }

  /** Tomorrow too: the clock of another process may be ahead. */
  private isSigned(body: Buffer, signature: Buffer, key: Buffer): boolean {
    for (let age = -1; age <= LIFETIME; age++) {
      if (timingSafeEqual(signatureOf(body, this.today - age, key), signature)) return true;
    }
    return false;
  }

  private get today(): number {
    return Math.floor(this.now() / DAY);
  }
}

const TEXT_LENGTH = Math.ceil(((BODY + SIGNATURE) * 8) / 5);

/** HMAC-SHA256, cut to 80 bits (RFC 2104 section 5). */
function signatureOf(body: Buffer, day: number, key: Buffer): Buffer {
  return createHmac('sha256', key).update(body).update(String(day)).digest().subarray(0, SIGNATURE);
}
