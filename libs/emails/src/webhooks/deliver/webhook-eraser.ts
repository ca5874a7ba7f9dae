import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { PersonEraser, PersonToErase } from '../../index.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import * as sql from '../storage/delivery.sql.js';
import { LOCK_PAYLOADS } from '../storage/payload.sql.js';

/** Payloads of one step: several times their bytes are in memory. */
const STEP = 50;
/** Lists of mailboxes, and mailboxes. */
const MAILBOXES = ['from', 'to', 'email'];
/** What says who somebody is, or what a message to that person alone was about. */
const PERSONAL = ['subject', 'first_name', 'last_name'];

interface StoredPayload {
  webhookId: string;
  seq: string;
  /** Null: the payload is in the row. */
  payloadId: string | null;
  payload: string;
}

/**
 * Takes part when a person is erased: what was sent of them to webhooks, and is kept, has a fixed mark in place of the
 * address. For `personErasers` of `EmailsModule`.
 */
@Injectable()
export class WebhookEraser implements PersonEraser {
  /** @internal Made by `WebhooksModule`. */
  constructor(private readonly dataSource: DataSource) {}

  erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    const key = addressKey(address);
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const find = (statement: string, limit: number): Promise<StoredPayload[]> =>
        manager.query(statement, [accountId, key, before, limit]);
      let found = await find(sql.FIND_PERSON, STEP);
      // What is being written is waited for, one at a time: with no other row locked, nobody waits for this one in return.
      if (found.length === 0) found = await find(sql.FIND_LOCKED_PERSON, 1);
      if (found.length === 0) return false;
      const shared = await this.lockShared(manager, found);
      const rewritten = found.map(({ payload, ...row }) => {
        return { ...row, payload: without(shared.get(row.payloadId) ?? payload, key) };
      });
      await manager.query(sql.REWRITE, [JSON.stringify(rewritten), accountId, key]);
      return true;
    });
  }

  /** Another erasure may rewrite a payload by the row of another webhook. */
  private async lockShared(manager: EntityManager, found: readonly StoredPayload[]) {
    const ids = found.flatMap(({ payloadId }) => payloadId ?? []);
    const rows: { id: string; body: string }[] = await manager.query(LOCK_PAYLOADS, [ids]);
    return new Map<string | null, string>(rows.map(({ id, body }) => [id, body]));
  }
}

/** A payload without a person. @param key what `addressKey` makes of the address */
function without(payload: string, key: string): string {
  const { data, ...envelope } = JSON.parse(payload) as { data: Record<string, unknown> };
  const isPerson = (mailbox: unknown) => typeof mailbox === 'string' && mailboxKey(mailbox) === key;
  const marked = (mailbox: unknown) => (isPerson(mailbox) ? ERASED_ADDRESS : mailbox);
  const isOfPerson = isPerson(data.email) || (Array.isArray(data.to) && data.to.every(isPerson));
  const entries = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (MAILBOXES.includes(name)) return [[name, Array.isArray(value) ? value.map(marked) : marked(value)]];
    if (isOfPerson && name === 'headers') return [];
    if (isOfPerson && PERSONAL.includes(name)) return [[name, typeof value === 'string' ? '' : value]];
    return names(value, key) ? [] : [[name, value]];
  });
  return JSON.stringify({ ...envelope, data: Object.fromEntries(entries) });
}

/** Whether a value has the address in a text of it. */
function names(value: unknown, key: string): boolean {
  return JSON.stringify(value ?? null)
    .toLowerCase()
    .includes(key);
}
