import { createHmac } from 'node:crypto';
import type { TopicRecipient } from '../../index.js';
import { IV, openBytes, sealBytes } from '../../shared/keys/sealed-bytes.js';
import type { DerivedKeys, SecretKeys } from '../../shared/keys/secret-keys.js';
import { isUuid } from '../../shared/text/is-uuid.js';

const VERSION = 1;
const PLACE = 'unsubscribe v1';
const UUID = 16;
/** Length of an account's id that is a UUID, and is stored as one. */
const AS_UUID = 0xffff;
/** Longer than any token of ours. Characters. */
const LONGEST = 2_000;

/**
 * Tokens of unsubscribe links: who unsubscribes from which topic, encrypted, so that a link names nobody and cannot be
 * made or changed without a secret. Nothing is stored and nothing expires: a link works as long as one of the secrets
 * that made it is accepted. About 140 characters of `A-Za-z0-9_-`: version ‖ initialisation vector 12 ‖ tag 16 ‖
 * encrypted (topic 16 ‖ email 16 ‖ length 2 ‖ account ‖ address).
 *
 * The same recipient always has the same token. Its initialisation vector is a keyed hash of its content, so that
 * different contents share one with the probability of random ones (RFC 5297 has the same idea).
 */
export class UnsubscribeTokens {
  private readonly keys: DerivedKeys;
  private readonly ivKeys: DerivedKeys;

  constructor(secretKeys: SecretKeys) {
    this.keys = secretKeys.for(PLACE);
    this.ivKeys = secretKeys.for('unsubscribe iv v1');
  }

  /** True if there is a secret. */
  get canWrite(): boolean {
    return this.keys.first !== undefined;
  }

  /** Undefined without a secret. */
  write(recipient: TopicRecipient): string | undefined {
    const [key, ivKey] = [this.keys.first, this.ivKeys.first];
    if (!key || !ivKey) return undefined;
    const bytes = bytesOf(recipient);
    const iv = createHmac('sha256', ivKey.key).update(bytes).digest().subarray(0, IV);
    return Buffer.concat([Buffer.of(VERSION), sealBytes(key, PLACE, bytes, iv)]).toString('base64url');
  }

  /** Undefined for a text that is no token of ours. Any text may be given. */
  read(text: string): TopicRecipient | undefined {
    if (text.length > LONGEST) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // Buffer skips what is not base64url: one link has one spelling.
    if (bytes[0] !== VERSION || bytes.toString('base64url') !== text) return undefined;
    for (const key of this.keys.all) {
      try {
        return recipientOf(openBytes(key, PLACE, bytes.subarray(1)));
      } catch {
        // Of another key, or not ours.
      }
    }
    return undefined;
  }
}

function bytesOf({ accountId, topicId, emailId, address }: TopicRecipient): Buffer {
  const asUuid = isUuid(accountId) && accountId === accountId.toLowerCase();
  const account = asUuid ? uuidBytes(accountId) : Buffer.from(accountId);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(asUuid ? AS_UUID : account.length);
  return Buffer.concat([uuidBytes(topicId), uuidBytes(emailId), length, account, Buffer.from(address)]);
}

function recipientOf(bytes: Buffer): TopicRecipient {
  const length = bytes.readUInt16BE(2 * UUID);
  const start = 2 * UUID + 2;
  const end = start + (length === AS_UUID ? UUID : length);
  const account = bytes.subarray(start, end);
  return {
    accountId: length === AS_UUID ? uuidText(account) : account.toString(),
    topicId: uuidText(bytes.subarray(0, UUID)),
    emailId: uuidText(bytes.subarray(UUID, 2 * UUID)),
    address: bytes.toString('utf8', end),
  };
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
