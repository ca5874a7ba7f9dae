import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(BYTES).toString('base64');
}

/** The signed text. */
export interface SignedMessage {
  /** `msg_…`, the same for every attempt. */
  id: string;
  /** Time of the attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The headers by which a receiver verifies the sender: those of Svix, and the same under the names of Standard
 * Webhooks.
 *
 * @param secrets all valid ones: a receiver may have any of them
 */
export function signedHeaders({ id, timestamp, body }: SignedMessage, secrets: readonly string[]) {
  const signature = secrets.map((secret) => `v1,${sign(`${id}.${timestamp}.${body}`, secret)}`).join(' ');
  return Object.fromEntries(
    ['svix', 'webhook'].flatMap((vendor) => [
      [`${vendor}-id`, id],
      [`${vendor}-timestamp`, String(timestamp)],
      [`${vendor}-signature`, signature],
    ]),
  );
}

function sign(text: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
