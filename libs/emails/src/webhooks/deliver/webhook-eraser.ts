import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { EmailsToErase, ErasedEmail, PersonEraser, PersonToErase } from '../../index.js';
import { isLockTimeout } from '../../shared/errors/database-errors.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import type { NewWebhookEvent } from '../storage/delivery.repository.js';
import * as sql from '../storage/delivery.sql.js';
import { LOCK_PAYLOADS } from '../storage/payload.sql.js';
import { recipientIn } from './payload.js';
import { emailKey } from './webhook-subscription.js';

/** Payloads of one step. The step needs several times their bytes in memory. */
const STEP = 50;
/** A cursor before all payloads. */
const FIRST = { webhookId: '00000000-0000-0000-0000-000000000000', seq: '0' };
/** Lists of mailboxes, and mailboxes. */
const MAILBOXES = ['from', 'to', 'email'];
/** Fields that identify a person, or the subject of a message to that person alone. */
const PERSONAL = ['subject', 'first_name', 'last_name'];

interface FoundPayload {
  webhookId: string;
  seq: string;
  payloadId: string;
}

/** Takes part when a person is erased: replaces the address in stored webhook payloads by a fixed mark. */
@Injectable()
export class WebhookEraser implements PersonEraser {
  /** @internal Made by `webhooks()`. */
  constructor(private readonly dataSource: DataSource) {}

  erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    const key = addressKey(address);
    return this.step(async (manager) => {
      const find = (statement: string, limit: number): Promise<FoundPayload[]> =>
        manager.query(statement, [accountId, key, before, limit]);
      let found = await find(sql.FIND_PERSON, STEP);
      // It waits for locked rows one at a time and holds no other locks, so it cannot deadlock.
      if (found.length === 0) found = await find(sql.FIND_LOCKED_PERSON, 1);
      if (found.length === 0) return false;
      const locked = await this.lockPayloads(manager, found);
      const rewritten = locked.map(({ payload, ...row }) => ({ ...row, ...without(payload, key) }));
      await manager.query(sql.REWRITE, [JSON.stringify(rewritten), accountId, key]);
      return true;
    });
  }

  /** Payloads keep their emails' key: another person may be erased from the same email later. */
  async eraseEmails({ accountId, emails }: EmailsToErase): Promise<boolean> {
    const byId = new Map(emails.map((email) => [email.id, email]));
    const keys = emails.map(({ id }) => emailKey(id));
    let last = FIRST;
    let found: FoundPayload[] = [];
    do {
      const isLocked = await this.step(async (manager) => {
        found = await manager.query(sql.FIND_EMAILS, [accountId, keys, last.webhookId, last.seq, STEP]);
        const locked = await this.lockPayloads(manager, found);
        // Includes rows whose payload was already rewritten through another row: each row's own attempts hold the
        // answers to clear.
        const rewritten = locked.map(({ payload, ...row }) => ({ ...row, ...asNow(payload, byId) }));
        if (rewritten.length > 0) await manager.query(sql.REWRITE, [JSON.stringify(rewritten), accountId, null]);
        return false;
      });
      if (isLocked) return true;
      last = found.at(-1) ?? last;
    } while (found.length === STEP);
    return false;
  }

  /**
   * Reads the payloads after they are locked: another erasure may have rewritten one through the row of another
   * webhook.
   */
  private async lockPayloads(
    manager: EntityManager,
    found: readonly FoundPayload[],
  ): Promise<(FoundPayload & { payload: string })[]> {
    const ids = found.map(({ payloadId }) => payloadId);
    const rows: { id: string; body: string }[] = await manager.query(LOCK_PAYLOADS, [ids]);
    const bodies = new Map(rows.map(({ id, body }) => [id, body]));
    return found.flatMap((row) => {
      const payload = bodies.get(row.payloadId);
      return payload === undefined ? [] : [{ ...row, payload }];
    });
  }

  /** Waits briefly for locks: a locked row is left for a later call. */
  private async step(work: (manager: EntityManager) => Promise<boolean>): Promise<boolean> {
    try {
      return await this.dataSource.transaction('READ COMMITTED', async (manager) => {
        await manager.query(sql.BOUND);
        return work(manager);
      });
    } catch (error) {
      if (isLockTimeout(error)) return true;
      throw error;
    }
  }
}

type Data = Record<string, unknown>;

/** A payload, and the recipient in it. */
type Rewritten = Pick<NewWebhookEvent, 'recipient'> & { payload: string };

/** A payload updated to the current state of its email. */
function asNow(payload: string, emails: ReadonlyMap<string, ErasedEmail>): Rewritten {
  const { data, ...envelope } = JSON.parse(payload) as { data: Data };
  const email = emails.get(String(data.email_id));
  if (!email) return { payload, recipient: recipientIn(data) };
  const { from, to, cc, bcc, subject, messageId, headers, isCleared } = email;
  const known = new Set([from, ...to, ...cc, ...bcc].map(mailboxKey));
  const kept = (mailbox: unknown) =>
    typeof mailbox === 'string' && known.has(mailboxKey(mailbox)) ? mailbox : ERASED_ADDRESS;
  const entries = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'headers')
      return headers.length > 0 ? [[name, headers.map(([key, text]) => ({ name: key, value: text }))]] : [];
    return [[name, isCleared ? untold(value) : value]];
  });
  const now = { from, subject, message_id: messageId, ...(Array.isArray(data.to) && { to: data.to.map(kept) }) };
  return rewritten(envelope, { ...Object.fromEntries(entries), ...now });
}

/** The detail of an event without the server's reply. */
function untold(detail: unknown): unknown {
  if (typeof detail !== 'object' || detail === null || !('message' in detail)) return detail;
  return { ...detail, message: '', ...('diagnosticCode' in detail && { diagnosticCode: [] }) };
}

/** A payload without a person. @param key `addressKey` of the address */
function without(payload: string, key: string): Rewritten {
  const { data, ...envelope } = JSON.parse(payload) as { data: Data };
  const isPerson = (mailbox: unknown) => typeof mailbox === 'string' && mailboxKey(mailbox) === key;
  const marked = (mailbox: unknown) => (isPerson(mailbox) ? ERASED_ADDRESS : mailbox);
  const isOfPerson = isPerson(data.email) || (Array.isArray(data.to) && data.to.every(isPerson));
  const entries = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (MAILBOXES.includes(name)) return [[name, Array.isArray(value) ? value.map(marked) : marked(value)]];
    if (isOfPerson && name === 'headers') return [];
    if (isOfPerson && PERSONAL.includes(name)) return [[name, typeof value === 'string' ? '' : value]];
    return names(value, key) ? [] : [[name, value]];
  });
  return rewritten(envelope, Object.fromEntries(entries));
}

function rewritten(envelope: object, data: Data): Rewritten {
  return { payload: JSON.stringify({ ...envelope, data }), recipient: recipientIn(data) };
}

/** True if a text within the value contains the address. */
function names(value: unknown, key: string): boolean {
  return JSON.stringify(value ?? null)
    .toLowerCase()
    .includes(key);
}
