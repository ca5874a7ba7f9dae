import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse as toBytes, stringify as toUuid } from 'uuid';

/** Kind of the thing that a link opens. */
export const LINK_KINDS = { attachment: 1, sharedEmail: 2, sharedContent: 3 } as const;
export type LinkKind = (typeof LINK_KINDS)[keyof typeof LINK_KINDS];

/** Content of a link. */
export interface LinkTarget {
  kind: LinkKind;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Position of the attachment in its email; 0 without one. */
  position: number;
  emailId: string;
  /** Identifies the account, see `accountMark`. */
  account: Buffer;
}

/*
 * version 1, kind 1, expiry 6, position 4, email 16, account 16, then the HMAC. The length is a multiple of three
 * bytes, so that every base64url character is significant: no two texts are the same token.
 */
const VERSION = 1;
const SIGNED = 44;
const MARK = 16;
const LENGTH = SIGNED + MARK;
const TEXT = new RegExp(`^[A-Za-z0-9_-]{${(LENGTH / 3) * 4}}$`);
const NOTHING = Buffer.alloc(LENGTH);

/**
 * Represents an account in a token: its id may be a person's name, and strangers see links. It is keyed, so that ids
 * cannot be guessed.
 */
export function accountMark(key: Buffer, accountId: string): Buffer {
  return createHmac('sha256', key).update('account ').update(accountId).digest().subarray(0, MARK);
}

export function writeToken(key: Buffer, { kind, expiresAt, position, emailId, account }: LinkTarget): string {
  const bytes = Buffer.alloc(LENGTH);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(kind, 1);
  bytes.writeUIntBE(expiresAt, 2, 6);
  bytes.writeUInt32BE(position, 8);
  bytes.set(toBytes(emailId), 12);
  bytes.set(account, 28);
  bytes.set(signature(key, bytes), SIGNED);
  return bytes.toString('base64url');
}

/** Undefined for a token that this key did not sign. Takes the same time for every input. */
export function readToken(key: Buffer, token: string): LinkTarget | undefined {
  const isToken = TEXT.test(token);
  const bytes = isToken ? Buffer.from(token, 'base64url') : NOTHING;
  const isSigned = timingSafeEqual(signature(key, bytes), bytes.subarray(SIGNED));
  if (!isToken || !isSigned || bytes.readUInt8(0) !== VERSION) return undefined;
  return {
    kind: bytes.readUInt8(1) as LinkKind,
    expiresAt: bytes.readUIntBE(2, 6),
    position: bytes.readUInt32BE(8),
    emailId: toUuid(bytes.subarray(12, 28)),
    account: bytes.subarray(28, SIGNED),
  };
}

/** HMAC-SHA256, truncated to half (RFC 2104, section 5). */
function signature(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes.subarray(0, SIGNED)).digest().subarray(0, MARK);
}
