import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Random } from '../../support/basics/random.js';
import { type Answer, httpRequest, type RequestOptions } from '../../support/requests/http-request.js';
import { encoded, hostileText, hostileValue, mutated } from '../../support/rules/hostile-values.js';
import { BODIES, type Maker, template } from './bodies.js';
import type { Operation } from './operations.js';

/** An account of the host, with a key of each permission. */
export interface Account {
  /** In every text and address of the account. */
  mark: string;
  full: string;
  sending: string;
}

export interface Surroundings {
  url: string;
  operations: readonly Operation[];
  receiver: string;
  /** Ids of objects of the other account. */
  foreign: readonly string[];
  /** Text in all rows of the other account. */
  foreignMark: string;
  /** Ids of keys that are in use. */
  protected: ReadonlySet<string>;
}

/** Size from which a server may close the connection during a refused body. Bytes. */
const LIMIT = 1_000_000;
/** Known ids of one kind. */
const MOST_KNOWN = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** A reason that is false while PostgreSQL is up. */
const AWAY = /database|PostgreSQL/i;

/** Sends random requests, and checks each answer. */
export class RandomCaller {
  asked = 0;
  readonly violations = new Map<string, number>();
  readonly statuses = new Map<number, number>();
  private readonly known = new Map<string, string[]>();
  private readonly maker: Maker;

  constructor(
    private readonly account: Account,
    private readonly around: Surroundings,
    private readonly random: Random,
  ) {
    this.maker = { random, mark: account.mark, receiver: around.receiver, id: (of) => this.knownId(of) };
  }

  /** Creates and publishes multiplying templates. */
  async prepare(): Promise<void> {
    for (let count = 0; count < 4; count++) {
      const { body } = await this.ask<{ id: string }>('POST', '/templates', { body: template(this.maker) });
      if (body.id) await this.ask('POST', `/templates/${body.id}/publish`, {});
    }
  }

  /** One request of any kind. */
  async step(): Promise<void> {
    const operation = this.random.pick(this.random.chance(0.4) ? this.ofContent() : this.around.operations);
    const { method, path } = operation;
    const isSending = this.random.chance(0.25);
    const token = isSending ? this.account.sending : this.account.full;
    const options = { token, ...(operation.takesBody && { body: this.body(operation) }), headers: this.headers() };
    await this.ask(method, this.fill(path) + this.query(operation), options);
  }

  /** One small valid request. */
  async ordinaryStep(): Promise<void> {
    const { mark, full, sending } = this.account;
    const body = { from: `from@${mark}.test`, to: `to@${mark}.test`, subject: mark, text: mark };
    if (this.random.chance(0.5)) await this.ask('POST', '/emails', { token: sending, body });
    else await this.ask('GET', '/emails?limit=5', { token: full });
  }

  /** Routes with large or multiplying bodies. */
  private ofContent(): Operation[] {
    return this.around.operations.filter(
      ({ method, path }) => method === 'POST' && /^\/(emails|emails\/batch|templates.*)$/.test(path),
    );
  }

  private async ask<T>(method: string, path: string, options: RequestOptions): Promise<Answer<T>> {
    this.asked += 1;
    const given = { token: this.account.full, ...options };
    const size = typeof given.body === 'string' ? given.body.length : 0;
    const route = `${method} ${path
      .split('?')[0]
      ?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
      .slice(0, 80)}`;
    try {
      const answer = await httpRequest<T>(this.around.url, method, path, given);
      this.judge(route, `${path} ${size < LIMIT ? given.body : ''}`, answer);
      this.learn(path, answer.body);
      return answer;
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      // A body that is refused during the upload.
      if (size < LIMIT || !['EPIPE', 'ECONNRESET'].includes(code ?? ''))
        this.violate(`${route}: ${message.slice(0, 400)}`);
      return { status: 0, headers: {}, body: {} as T, text: '' };
    }
  }

  private judge(route: string, request: string, { status, headers, text }: Answer<unknown>): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status > 503 || (status >= 500 && status < 503))
      this.violate(`${route} is answered ${status}: ${text.slice(0, 300)}`);
    if (status === 503 && !headers['retry-after']) this.violate(`${route} is answered 503 without retry-after.`);
    if (status === 503 && AWAY.test(text)) this.violate(`${route} is answered 503 with a false reason: ${text}`);
    const { foreign, foreignMark } = this.around;
    if (text.includes(foreignMark)) this.violate(`${route} tells what is another account's: ${text.slice(0, 300)}`);
    for (const id of foreign) {
      if (text.includes(id) && !request.includes(id)) this.violate(`${route} names an object of another account.`);
    }
  }

  private violate(text: string): void {
    this.violations.set(text, (this.violations.get(text) ?? 0) + 1);
  }

  /** Remembers the ids of an answer by the collection that they belong to. */
  private learn(path: string, body: unknown): void {
    const collection = collectionOf(path);
    const found = [body, ...((body as { data?: unknown[] } | null)?.data ?? [])];
    for (const one of found) {
      const id = (one as { id?: unknown } | null)?.id;
      if (typeof id !== 'string' || !UUID.test(id) || this.around.protected.has(id)) continue;
      const known = this.known.get(collection) ?? [];
      this.known.set(collection, [...known.slice(1 - MOST_KNOWN), id]);
    }
  }

  private knownId(of: string): string {
    const known = this.known.get(of) ?? [];
    return known.length === 0 ? '' : this.random.pick(known);
  }

  private fill(path: string): string {
    return path.replaceAll(/\/(\w[\w-]*)\/\{(\w+)\}|\{(\w+)\}/g, (_, of: string | undefined) => {
      const value = this.parameter(of ?? 'files');
      return of === undefined ? value : `/${of}/${value}`;
    });
  }

  private parameter(of: string): string {
    const { random } = this;
    const own = this.knownId(of);
    if (own && random.chance(0.7)) return own;
    if (random.chance(0.5)) return random.pick(this.around.foreign);
    return random.chance(0.5) ? randomUUID() : encoded(this.draw(hostileText)) || 'x';
  }

  private query({ query, path }: Operation): string {
    const { random } = this;
    if (query.length === 0 || random.chance(0.5)) return '';
    const pairs = random.choose(query, random.int(1, 3)).map((name) => `${name}=${this.value(name, path)}`);
    return `?${pairs.join('&')}`;
  }

  private value(name: string, path: string): string {
    const { random } = this;
    if (random.chance(0.3)) return encoded(this.draw(hostileText));
    if (name === 'limit') return String(random.pick([1, 2, 20, 100, 1_000]));
    if (name === 'after' || name === 'before') return this.parameter(collectionOf(path));
    if (name.endsWith('_date')) return random.pick(['2020-01-01', '2096-01-01T00:00:00Z', '2026-11-24']);
    return encoded(this.account.mark);
  }

  private body({ method, path }: Operation): string {
    const { random } = this;
    const make = BODIES[`${method} ${path}`];
    const body = make?.(this.maker) ?? {};
    const kind = random.next();
    if (kind < 0.7) return JSON.stringify(body);
    const text = JSON.stringify(body);
    if (kind < 0.9 && text.length < 20_000) return this.draw(mutated(body as object));
    return kind < 0.97 ? (JSON.stringify(this.draw(hostileValue)) ?? '') : text.slice(0, random.int(0, text.length));
  }

  private headers(): Record<string, string> {
    const { random } = this;
    return {
      ...(random.chance(0.2) && { 'idempotency-key': `key-${random.int(1, 20)}` }),
      ...(random.chance(0.3) && { 'x-batch-validation': random.pick(['strict', 'permissive']) }),
    };
  }

  private draw<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { seed: this.random.int(0, 2 ** 31 - 1), numRuns: 1 })[0] as T;
  }
}

/** `events` of `/webhooks/1/events?limit=2`, `emails` of `/emails/batch`. */
function collectionOf(path: string): string {
  const parts = (path.split('?')[0] ?? '')
    .split('/')
    .filter((part) => part !== '' && part !== 'batch' && part !== 'publish');
  const names = parts.filter((part) => /^[a-z][a-z-]*$/.test(part));
  return names.at(-1) ?? '';
}
