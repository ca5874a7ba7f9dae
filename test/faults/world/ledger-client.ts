import { setTimeout as delay } from 'node:timers/promises';
import { httpRequest } from '../../support/requests/http-request.js';
import type { Journal } from '../journal.js';
import { type Mail, toRequest } from './draft.js';

/** A line of the client's ledger: a request that it sends next, or an answer. */
export type ClientEntry =
  | { kind: 'intent'; at: number; mail: Mail }
  | { kind: 'answer'; at: number; tag: string; status: number; id: string | undefined }
  | { kind: 'silence'; at: number; tag: string }
  /** Answer to a change; no status: no answer. */
  | { kind: 'changed'; at: number; tag: string; change: Change; status: number | undefined };

/** A client's request to change an email that it sent. */
export type Change = 'cancel' | 'retry' | { scheduled_at: string };

/** The part of an action's progress that counts here. */
interface ActionProgress {
  status: string;
  done: number;
  refused: unknown[];
}

const PAUSE = 100;
/** Interval of repetitions. Milliseconds. */
const REQUEST_TIMEOUT = 30_000;

/**
 * A client that records each request before it sends it, and each answer before it uses it. It repeats a request until the
 * answer is 200, with one idempotency key per email: its tag.
 */
export class LedgerClient {
  /** All requested emails. */
  readonly asked = new Set<string>();
  /** Emails without an answer so far. */
  readonly outstanding = new Set<string>();
  /** Changes that were made or refused. */
  changed = 0;
  private readonly answeredAt = new Map<string, number>();
  private stopped = false;

  /** @param url of the API, which may be unreachable at times */
  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly journal: Journal<ClientEntry>,
  ) {}

  /**
   * Resolves with the email's id.
   *
   * @param onAnswer called with a 200 as soon as it arrives
   */
  async send(mail: Mail, onAnswer: () => void = () => {}): Promise<string> {
    await this.journal.append({ kind: 'intent', at: Date.now(), mail });
    this.asked.add(mail.tag);
    this.outstanding.add(mail.tag);
    while (!this.stopped) {
      const id = await this.ask(mail, onAnswer);
      if (id) return id;
      await delay(PAUSE);
    }
    throw new Error(`The run ended before the API accepted ${mail.tag}.`);
  }

  /** Requests a change until it is made or refused. */
  async change(tag: string, id: string, change: Change): Promise<void> {
    for (let isOpen = true; isOpen && !this.stopped; ) {
      const status = await this.askFor(id, change).catch(() => undefined);
      await this.journal.append({ kind: 'changed', at: Date.now(), tag, change, status });
      isOpen = status === undefined || status === 503;
      if (isOpen) await delay(PAUSE);
      else this.changed += 1;
    }
  }

  /** Requests that one action cancels these emails. Resolves with the action's id. */
  async cancelAll(mails: readonly Mail[], ids: readonly string[]): Promise<string> {
    await this.noteCancels(mails, undefined);
    const options = { token: this.token, body: { action: 'cancel', ids }, timeout: REQUEST_TIMEOUT };
    const { status, body } = await httpRequest<{ id: string }>(this.url, 'POST', '/emails/actions', options);
    if (status !== 202) throw new Error(`An action is answered ${status}.`);
    return body.id;
  }

  /** The numbers of the ended action on these emails. Undefined: it has not ended. */
  async endOf(action: string, mails: readonly Mail[]): Promise<{ done: number; refused: number } | undefined> {
    const options = { token: this.token, timeout: REQUEST_TIMEOUT };
    const { body } = await httpRequest<ActionProgress>(this.url, 'GET', `/emails/actions/${action}`, options);
    if (body.status !== 'completed') return undefined;
    if (body.done === mails.length) await this.noteCancels(mails, 200);
    return { done: body.done, refused: body.refused.length };
  }

  /**
   * Sends emails in one batch, with a key that is the tag of the first of them.
   *
   * @param onAnswer called with a 200 as soon as it arrives
   */
  async sendBatch(mails: readonly Mail[], onAnswer: () => void = () => {}): Promise<void> {
    await Promise.all(mails.map((mail) => this.journal.append({ kind: 'intent', at: Date.now(), mail })));
    for (const { tag } of mails) {
      this.asked.add(tag);
      this.outstanding.add(tag);
    }
    while (!this.stopped) {
      if (await this.askBatch(mails, onAnswer)) return;
      await delay(PAUSE);
    }
    throw new Error(`The run ended before the API accepted the batch of ${mails[0]?.tag}.`);
  }

  /** Repeats the request of an answered batch: the second answer must be the same. */
  async askBatch(mails: readonly Mail[], onAnswer: () => void = () => {}): Promise<boolean> {
    let status = 0;
    let ids: string[] = [];
    try {
      const answer = await httpRequest<{ data?: { id: string }[] }>(this.url, 'POST', '/emails/batch', {
        token: this.token,
        body: mails.map(toRequest),
        headers: { 'idempotency-key': mails[0]?.tag },
        timeout: REQUEST_TIMEOUT,
      });
      status = answer.status;
      ids = answer.body.data?.map(({ id }) => id) ?? [];
    } catch {
      await Promise.all(mails.map(({ tag }) => this.journal.append({ kind: 'silence', at: Date.now(), tag })));
      return false;
    }
    const at = Date.now();
    if (status === 200) {
      for (const { tag } of mails) {
        this.outstanding.delete(tag);
        this.answeredAt.set(tag, at);
      }
      onAnswer();
    }
    await Promise.all(
      mails.map(({ tag }, index) => this.journal.append({ kind: 'answer', at, tag, status, id: ids[index] })),
    );
    return status === 200;
  }

  /** Adopts emails that were accepted in another way. */
  async note(emails: readonly { mail: Mail; id: string }[]): Promise<void> {
    const at = Date.now();
    await Promise.all(
      emails.flatMap(({ mail, id }) => [
        this.journal.append({ kind: 'intent', at, mail }),
        this.journal.append({ kind: 'answer', at, tag: mail.tag, status: 200, id }),
      ]),
    );
  }

  /** Emails that were answered since then. */
  answeredSince(at: number): string[] {
    return [...this.answeredAt].filter(([, answeredAt]) => answeredAt >= at).map(([tag]) => tag);
  }

  stop(): void {
    this.stopped = true;
  }

  private async noteCancels(mails: readonly Mail[], status: number | undefined): Promise<void> {
    const at = Date.now();
    await Promise.all(
      mails.map(({ tag }) => this.journal.append({ kind: 'changed', at, tag, change: 'cancel', status })),
    );
  }

  private async askFor(id: string, change: Change): Promise<number> {
    const [method, path, body] =
      typeof change === 'string' ? ['POST', `/emails/${id}/${change}`, undefined] : ['PATCH', `/emails/${id}`, change];
    const options = { token: this.token, timeout: REQUEST_TIMEOUT, ...(body && { body }) };
    return (await httpRequest(this.url, method, path, options)).status;
  }

  private async ask(mail: Mail, onAnswer: () => void): Promise<string | undefined> {
    const { tag } = mail;
    let status: number;
    let id: string | undefined;
    try {
      const answer = await httpRequest<{ id?: string }>(this.url, 'POST', '/emails', {
        token: this.token,
        body: toRequest(mail),
        headers: { 'idempotency-key': tag },
        timeout: REQUEST_TIMEOUT,
      });
      status = answer.status;
      id = answer.body.id;
    } catch {
      await this.journal.append({ kind: 'silence', at: Date.now(), tag });
      return undefined;
    }
    if (status === 200) {
      this.outstanding.delete(tag);
      this.answeredAt.set(tag, Date.now());
      onAnswer();
    }
    await this.journal.append({ kind: 'answer', at: Date.now(), tag, status, id });
    return status === 200 ? id : undefined;
  }
}
