import { hash, randomBytes } from 'node:crypto';

/** A token of an `Authorization: Bearer` header (the `b64token` characters of RFC 6750 section 2.1), bounded. */
export const TOKEN_PATTERN = /^[A-Za-z0-9._~+/=-]{8,256}$/;

/** True if a value has the form of a token. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN_PATTERN.test(value);
}

/** A new token of 256 random bits. */
export function generateToken(): string {
  return `re_${randomBytes(32).toString('base64url')}`;
}

/** Shown of a token, at most. */
const START_LENGTH = 8;

/** First characters of a token, by which people recognize it: at most a quarter of it, so that a short one stays secret. */
export function tokenStart(token: string): string {
  return token.slice(0, Math.min(START_LENGTH, Math.floor(token.length / 4)));
}

/**
 * SHA-256 of a token, which is stored and looked up. Tokens are random, so a slow or salted hash would add nothing;
 * and as only hashes are compared, the time of a comparison reveals nothing about a token.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
