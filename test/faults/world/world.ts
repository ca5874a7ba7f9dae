import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { PATIENCE } from '../../support/basics/patience.mjs';
import type { Random } from '../../support/basics/random.js';
import { until } from '../../support/basics/wait-for.js';
import type { HostEnvironment } from '../../support/hosts/host-process.js';
import { type RedisServer, startRedisServer } from '../../support/servers/redis-server.mjs';
import { Journal } from '../journal.js';
import { type Copy, MailSink, type SinkOptions } from '../sink/mail-sink.js';
import { Endpoints } from '../webhooks/endpoints.js';
import { BODY_CANARY, type Draft, type Mail, RECIPIENT_DOMAIN, toMail } from './draft.js';
import { JobBox } from './job-box.js';
import { type ClientEntry, LedgerClient } from './ledger-client.js';
import type { Postgres } from './postgres-service.js';
import { Slot } from './slot.js';
import { acceptedEmails, isAccept } from './statements.js';
import { Stranger } from './stranger.js';

export type QueueKind = 'postgres' | 'redis';
/** Whether the mail server is the recipients' own, or a relay that passes mail on. */
export type Hop = 'final' | 'relay';

export interface WorldOptions {
  kind: QueueKind;
  /** True if the mail server offers PIPELINING. */
  pipelining: boolean;
  hop: Hop;
  postgres: Postgres;
  /** True if the API slot runs a whole host, which starts `postgres` itself. */
  embedded?: boolean;
  /** For ledgers and data; made here. */
  folder: string;
  random: Random;
  /** Query of `SMTP_URL`, with its question mark. */
  smtpQuery?: string;
  /** True if processes have two relays, and a third one whose mail is paused: `first`, `sink` and `barred`. */
  hasBackup?: boolean;
  /** Overrides `ENVIRONMENT`. */
  environment?: HostEnvironment;
  /** True if it has a receiver of webhooks. */
  webhooks?: boolean;
  /** True if the steps of workers are recorded, in `traceFile`. */
  traced?: boolean;
}

/** Login of the first of two relays. Its password must not occur in a log line or a job. */
const LOGIN = { user: 'relay', pass: `zqpass${randomBytes(12).toString('base64url')}` };

/** Time between the death of a process and the next attempt: a lease, and a sweep. Milliseconds. */
const LEASE_AND_SWEEP = 10_000;
/** Longest time of a process's start on an idle machine. Milliseconds. */
const ORDINARY_START = 1_000;

/** An answer just before a crash may have lost its effects with the process. Milliseconds. */
const JUST_NOW = 200;

/** Short retries, enough of them for every temporary fault. */
const ENVIRONMENT: HostEnvironment = {
  RETRY_SCHEDULE: Array.from({ length: 40 }, (_, index) => (index < 10 ? '500ms' : '2s')).join(),
  LOG_LEVEL: 'debug',
};

const RECORDER = fileURLToPath(new URL('../../support/hosts/record-trace.mjs', import.meta.url));

const FOR_WEBHOOKS: HostEnvironment = {
  SECRET_KEY: randomBytes(32).toString('base64url'),
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
};

/** A database, a queue, a sink, an API, and its client, for one scenario. */
export class World {
  readonly hits = new Map<string, number>();
  /** Crashes and outages that hit an email. */
  readonly blows: { tag: string; at: number }[] = [];
  /** Remark of a row, in addition to its numbers. */
  readonly remarks = new Map<string, string>();
  /** Faults other than broken invariants. */
  readonly complaints: string[] = [];
  readonly slots: Slot[] = [];
  private readonly tags = new Map<string, string>();
  private readonly ids = new Map<string, Set<string>>();
  private receiving: Endpoints | undefined;
  private others: OtherRelays | undefined;
  /** The new server of a moved world. */
  private moved: Postgres | undefined;
  private number = 0;

  private constructor(
    public options: WorldOptions,
    readonly token: string,
    public database: string,
    /** The run's own connections, without proxies. */
    public pool: pg.Pool,
    readonly redis: RedisServer | undefined,
    readonly jobs: JobBox,
    readonly sink: MailSink,
    readonly copies: Journal<Copy>,
    readonly asked: Journal<ClientEntry>,
    readonly api: Slot,
    readonly client: LedgerClient,
  ) {
    this.adopt(api);
  }

  static async create(options: WorldOptions): Promise<World> {
    const { postgres, folder, kind, pipelining } = options;
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    const database = await postgres.createDatabase();
    const pool = postgres.pool(database);
    const redis = kind === 'redis' ? await startRedisServer({ folder: join(folder, 'redis') }) : undefined;
    const copies = await Journal.create<Copy>(join(folder, 'sink.jsonl'));
    const asked = await Journal.create<ClientEntry>(join(folder, 'client.jsonl'));
    const sink = await MailSink.start(copies, { pipelining });
    const others = options.hasBackup ? await otherRelays(copies, { pipelining, taken: sink.taken }) : undefined;
    const token = `re_zqtoken${randomBytes(24).toString('base64url')}`;
    const api = await Slot.open(
      options.embedded ? 'all' : 'api',
      targets(options, database, redis, { sink, ...others }, token),
    );
    const client = new LedgerClient(api.url, token, asked);
    const jobs = new JobBox(pool, redis?.url);
    const world = new World(options, token, database, pool, redis, jobs, sink, copies, asked, api, client);
    world.others = others;
    if (options.webhooks) world.receiving = await Endpoints.open(world);
    return world;
  }

  /** @throws Error in a scenario without webhooks */
  get endpoints(): Endpoints {
    if (!this.receiving) throw new Error('This scenario has no receiver of webhooks.');
    return this.receiving;
  }

  /**
   * The first of two relays, which asks for a login; the second is `sink`.
   *
   * @throws Error in a scenario without them
   */
  get first(): MailSink {
    if (!this.others) throw new Error('This scenario has one relay.');
    return this.others.first;
  }

  /**
   * The third relay, whose mail is paused.
   *
   * @throws Error in a scenario without it
   */
  get barred(): MailSink {
    if (!this.others) throw new Error('This scenario has one relay.');
    return this.others.barred;
  }

  /** All mail servers. */
  get sinks(): MailSink[] {
    return [this.sink, ...(this.others ? [this.others.first, this.others.barred] : [])];
  }

  get folder(): string {
    return this.options.folder;
  }

  get traceFile(): string {
    return traceFileIn(this.folder);
  }

  /** Attempts after which an email fails. */
  get attempts(): number {
    return ({ ...ENVIRONMENT, ...this.options.environment }.RETRY_SCHEDULE ?? '').split(',').length + 1;
  }

  get random(): Random {
    return this.options.random;
  }

  /** A slot for another worker. */
  async worker(): Promise<Slot> {
    const { options, database, redis, sink, others, token } = this;
    const slot = await Slot.open('worker', targets(options, database, redis, { sink, ...others }, token));
    this.adopt(slot);
    return slot;
  }

  /** Pauses the mail of the third relay, which no process may give any from now on. */
  async bar(): Promise<void> {
    await this.pool.query(
      `INSERT INTO nestjs_emails.pauses (scope, subject, transport, reason)
       SELECT 'all', '', name, 'It may have no mail.' FROM unnest($1::text[]) AS name`,
      [this.slots.flatMap(({ barred }) => (barred ? `127.0.0.1:${barred.port}` : []))],
    );
  }

  draft(draft: Draft): Mail {
    this.number += 1;
    return toMail(draft, this.number);
  }

  /** Sends an email; resolves with its id. */
  send(draft: Draft): Promise<string> {
    return this.client.send(this.draft(draft));
  }

  hit(row: string): void {
    this.hits.set(row, (this.hits.get(row) ?? 0) + 1);
  }

  /** Adds the number of envelopes sent ahead, behind the final dots of others, to the table. */
  remarkAhead(row: string): void {
    if (this.options.pipelining) this.remarks.set(row, `${this.sink.envelopesAhead} envelopes came ahead`);
  }

  /** SIGKILL; records every email that the process held. */
  async kill(slot: Slot): Promise<void> {
    this.noteBlow(slot);
    await slot.kill();
    slot.inHand.clear();
  }

  /** Records a hit for every email that this process holds now. */
  noteBlow(slot: Slot): void {
    const at = Date.now();
    if (slot === this.api) this.noteBlowTo([...this.client.outstanding, ...this.client.answeredSince(at - JUST_NOW)]);
    this.noteBlowTo([...slot.inHand].map((id) => this.tags.get(id)));
  }

  /** Records an outage for every email that is not finished yet. */
  noteOutage(): void {
    this.noteBlowTo([...this.client.asked]);
  }

  noteBlowTo(tags: readonly (string | undefined)[]): void {
    const at = Date.now();
    for (const tag of tags) if (tag) this.blows.push({ tag, at });
  }

  /** Records that an email got this id. */
  know(id: string, tag: string): void {
    this.tags.set(id, tag);
    this.ids.set(tag, new Set(this.ids.get(tag)).add(id));
  }

  /** Ids that an email got at its acceptance: more than one if its request was repeated. */
  idsOf(tag: string): ReadonlySet<string> {
    return this.ids.get(tag) ?? new Set();
  }

  /**
   * Milliseconds within which delivery continues after a crash: 15 seconds, of which 5 are work. A slower or busier
   * machine has five times the median start of a process here.
   */
  get recoveryLimit(): number {
    return LEASE_AND_SWEEP + 5 * ORDINARY_START * this.slowness;
  }

  /** Start time of a process relative to an idle machine; at least 1. */
  get slowness(): number {
    const starts = this.slots.flatMap((slot) => slot.starts).sort((a, b) => a - b);
    const usual = starts[Math.floor(starts.length / 2)] ?? 0;
    return Math.max(1, usual / ORDINARY_START);
  }

  /** The tag of the email with this id. */
  tagOf(id: string): string {
    return this.tags.get(id) ?? '';
  }

  async count(condition: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM nestjs_emails.deliveries WHERE ${condition}`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Emails of a row, or of several, that are still pending. */
  async owed(...rows: readonly string[]): Promise<number> {
    const of = `key ~ '^(${rows.join('|')})-'`;
    return this.count(
      `due_at IS NOT NULL AND email_id IN (SELECT email_id FROM nestjs_emails.idempotency_keys WHERE ${of})`,
    );
  }

  /** Emails of a row. */
  all(row: string): Promise<number> {
    return this.count(`email_id IN (SELECT email_id FROM nestjs_emails.idempotency_keys WHERE key ~ '^${row}-')`);
  }

  /** Emails of a row that were canceled. */
  canceled(row: string): Promise<number> {
    return this.count(
      `last_event = 'canceled' AND email_id IN (SELECT email_id FROM nestjs_emails.idempotency_keys WHERE key ~ '^${row}-')`,
    );
  }

  /** A foreign session on the database. */
  stranger(name: string): Promise<Stranger> {
    return Stranger.connect(this.options.postgres.url(this.database), name);
  }

  /** Waits until no email is overdue. */
  async recovered(): Promise<void> {
    const look = async () => (await this.count('due_at <= clock_timestamp()')) === 0;
    await until(look, { what: 'the recovery of overdue emails' });
  }

  /** Waits until all requests are answered and nothing is pending; resolves to whether that happened in time. */
  async settle(timeout = PATIENCE): Promise<boolean> {
    const look = async () => this.client.outstanding.size === 0 && (await this.count('due_at IS NOT NULL')) === 0;
    return until(look, { timeout, interval: 50 }).then(
      () => true,
      () => false,
    );
  }

  /** Reconnects the run's own tools after a replacement of the server. */
  async reconnect(): Promise<void> {
    await this.pool.end();
    this.pool = this.options.postgres.pool(this.database);
    this.jobs.pool = this.pool;
    for (const slot of this.slots) slot.reach(this.options.postgres.url(this.database));
  }

  /** Moves the world to a database of another server. That server stops with the world. */
  async moveTo(postgres: Postgres, database: string): Promise<void> {
    this.moved = postgres;
    this.options = { ...this.options, postgres };
    this.database = database;
    await this.reconnect();
  }

  async close(): Promise<void> {
    this.client.stop();
    await Promise.all(this.slots.map((slot) => slot.close()));
    for (const [index, { output }] of this.slots.entries()) {
      writeFileSync(join(this.options.folder, index === 0 ? 'api.log' : `worker-${index}.log`), output);
    }
    await this.jobs.close();
    await Promise.all(this.sinks.map((sink) => sink.close()));
    await this.receiving?.close();
    await Promise.all([this.copies.close(), this.asked.close(), this.redis?.stop('SIGKILL'), this.pool.end()]);
    await this.moved?.stop();
  }

  /** Reads the traffic: ids of emails, and forbidden texts in the queue. */
  private adopt(slot: Slot): void {
    this.slots.push(slot);
    slot.postgres.watch((moment, exchange) => {
      if (moment === 'request' && exchange.queue) this.inspect(exchange.params.join());
      if (moment === 'request' && isAccept(exchange)) {
        for (const { id, tag } of acceptedEmails(exchange)) this.know(id, tag);
      }
      return undefined;
    });
    slot.redis?.watch((moment, { parts }) => {
      if (moment === 'request') this.inspect(parts.join());
      return undefined;
    });
  }

  private inspect(job: string): void {
    for (const secret of this.secrets()) {
      if (job.includes(secret)) this.complaints.push(`The queue got ${nameOf(secret)}.`);
    }
  }

  /** Texts that no log line and no job may contain. */
  secrets(): string[] {
    return [BODY_CANARY, RECIPIENT_DOMAIN, this.token, LOGIN.pass];
  }
}

interface OtherRelays {
  /** Comes before `sink`. */
  first: MailSink;
  /** Its mail is paused. */
  barred: MailSink;
}

async function otherRelays(copies: Journal<Copy>, options: SinkOptions): Promise<OtherRelays> {
  return {
    first: await MailSink.start(copies, { ...options, login: LOGIN }),
    barred: await MailSink.start(copies, options),
  };
}

/** `DATA_DIR` of the processes of a world. */
export function dataDirIn(folder: string): string {
  return join(folder, 'data');
}

function traceFileIn(folder: string): string {
  return join(folder, 'trace.jsonl');
}

export function nameOf(secret: string): string {
  if (secret === BODY_CANARY) return 'a body';
  if (secret === LOGIN.pass) return 'a password';
  return secret === RECIPIENT_DOMAIN ? 'a recipient' : 'a token';
}

function targets(
  { hop, postgres, embedded, folder, smtpQuery = '', environment, webhooks, traced }: WorldOptions,
  database: string,
  redis: RedisServer | undefined,
  { sink, first = sink, barred }: { sink: MailSink } & Partial<OtherRelays>,
  token: string,
) {
  return {
    databaseUrl: embedded ? undefined : postgres.url(database),
    redisUrl: redis?.url,
    relays: barred
      ? [{ port: first.port, login: `${LOGIN.user}:${LOGIN.pass}@` }, { port: sink.port }, { port: barred.port }]
      : [{ port: sink.port }],
    smtpQuery,
    env: {
      ...ENVIRONMENT,
      ...(webhooks && FOR_WEBHOOKS),
      ...(traced && { NODE_OPTIONS: `--import=${RECORDER}`, DELIVERY_TRACE: traceFileIn(folder) }),
      ...environment,
      SMTP_HOP: hop,
      DATA_DIR: dataDirIn(folder),
      BOOTSTRAP_API_KEY: token,
    },
  };
}
