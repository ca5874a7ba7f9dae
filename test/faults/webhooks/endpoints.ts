import { join } from 'node:path';
import type pg from 'pg';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { until } from '../../support/basics/wait-for.js';
import { httpRequest } from '../../support/requests/http-request.js';
import { TcpProxy } from '../../support/servers/proxy/tcp-proxy.js';
import { Journal } from '../journal.js';
import { Receiver, type ReceiverEntry } from './receiver.js';

/** An endpoint from its owner's view. */
export interface Endpoint {
  /** The path of its URL: the id of a row if it serves only that row. */
  name: string;
  id: string;
  /** Times of its request and of its 201. Milliseconds since 1970. */
  askedAt: number;
  answeredAt: number;
}

/** Event types that endpoints subscribe to: all types of email events. */
export const TYPES = ['scheduled', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'failed', 'suppressed'].map(
  (type) => `email.${type}`,
);

const WAITS = `
SELECT (SELECT count(*) FROM nestjs_emails.event_outbox)::integer AS outbox,
  (SELECT count(*) FROM nestjs_emails.webhook_events WHERE due_at IS NOT NULL OR replays > 0)::integer AS log,
  (SELECT count(*) FROM nestjs_emails.webhook_events WHERE due_at <= clock_timestamp())::integer AS overdue`;
const ALL_DUE = 'UPDATE nestjs_emails.webhook_events SET due_at = clock_timestamp() WHERE due_at > clock_timestamp()';
const PASS = `UPDATE nestjs_emails.webhook_events SET due_at = due_at - make_interval(secs => $1) WHERE due_at IS NOT NULL`;
const PASS_FAILURES = `
UPDATE nestjs_emails.webhooks
SET failing_from = failing_from - make_interval(secs => $1), failing_since = failing_since - make_interval(secs => $1)
WHERE failing_from IS NOT NULL`;
const END_LEASES = 'UPDATE nestjs_emails.webhooks SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL';

/** Dependencies of endpoints. */
export interface Surroundings {
  folder: string;
  token: string;
  api: { url: string };
  /** Another pool after PostgreSQL was replaced. */
  pool: pg.Pool;
}

/** The endpoints of a world, and their receiver behind its own proxy. */
export class Endpoints {
  readonly all: Endpoint[] = [];
  /** Times of faults that hit running requests. Milliseconds since 1970. */
  readonly blows: number[] = [];

  private constructor(
    private readonly world: Surroundings,
    readonly receiver: Receiver,
    readonly ledger: Journal<ReceiverEntry>,
    /** The proxy in front of the receiver. */
    readonly network: TcpProxy,
  ) {}

  static async open(world: Surroundings): Promise<Endpoints> {
    const ledger = await Journal.create<ReceiverEntry>(join(world.folder, 'receiver.jsonl'));
    const receiver = await Receiver.start(ledger);
    const network = await TcpProxy.start('127.0.0.1', receiver.port);
    return new Endpoints(world, receiver, ledger, network);
  }

  /** Creates an endpoint by the API, which must be running. */
  async create(name: string): Promise<Endpoint> {
    const { api, token } = this.world;
    const askedAt = Date.now();
    const body = { endpoint: `http://127.0.0.1:${this.network.port}/${name}`, events: TYPES };
    const answer = await httpRequest<{ id: string; signing_secret: string }>(api.url, 'POST', '/webhooks', {
      token,
      body,
    });
    if (answer.status !== 201) throw new Error(`No endpoint: ${answer.status} ${answer.text}`);
    const { id, signing_secret: secret } = answer.body;
    const endpoint = { name, id, askedAt, answeredAt: Date.now() };
    this.receiver.trust(name, secret);
    this.all.push(endpoint);
    return endpoint;
  }

  noteBlow(): void {
    this.blows.push(Date.now());
  }

  /** Moves pending events forward in time: their due times come earlier. Milliseconds. */
  async pass(milliseconds: number): Promise<void> {
    await this.world.pool.query(PASS, [milliseconds / 1_000]);
    await this.world.pool.query(PASS_FAILURES, [milliseconds / 1_000]);
  }

  /** Ends the leases of dead workers, as half a minute would. */
  async endLeases(): Promise<void> {
    await this.world.pool.query(END_LEASES);
  }

  /** Waits until all due events were tried, and none is left to hand over. */
  async tried(): Promise<void> {
    const look = async () => {
      const { outbox, overdue } = await this.waiting();
      return outbox === 0 && overdue === 0;
    };
    await until(look, { timeout: PATIENCE, what: 'an attempt of every webhook that is due' });
  }

  /** Waits until nothing is pending, without the pauses between attempts. Resolves to whether that happened in time. */
  async settle(timeout = PATIENCE): Promise<boolean> {
    const look = async () => {
      await this.world.pool.query(ALL_DUE);
      const { outbox, log } = await this.waiting();
      return outbox === 0 && log === 0;
    };
    return until(look, { timeout, interval: 200 }).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.network.close();
    await this.receiver.close();
    await this.ledger.close();
  }

  private async waiting(): Promise<{ outbox: number; log: number; overdue: number }> {
    const { rows } = await this.world.pool.query<{ outbox: number; log: number; overdue: number }>(WAITS);
    return rows[0] ?? { outbox: 0, log: 0, overdue: 0 };
  }
}
