import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/basics/wait-for.js';
import { type HostEnvironment, type HostProcess, spawnScript } from '../../support/hosts/host-process.js';
import type { HostWatch } from '../../support/hosts/host-watch.js';
import { TcpProxy } from '../../support/servers/proxy/tcp-proxy.js';
import { type HttpExchange, httpTap } from '../wire/http-tap.js';
import { type PostgresExchange, postgresTap } from '../wire/postgres-tap.js';
import { type RedisExchange, redisTap } from '../wire/redis-tap.js';
import { isClose, isLease } from './statements.js';

const CLOCK = fileURLToPath(new URL('../clock.mjs', import.meta.url));
/** An unused port. */
const NOBODY = 1;
/** How often a process is started when a server does not answer it in time: a supervisor starts a host again. */
const TRIES = 4;

export interface SlotTargets {
  /** Undefined if the host starts its own PostgreSQL. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** In the order of `SMTP_URL`. `login`: user and password, with the characters before and behind them. */
  relays: readonly { port: number; login?: string }[];
  /** Query of each URL in `SMTP_URL`. */
  smtpQuery: string;
  env: HostEnvironment;
}

/** A slot for one process of the host, with its own proxies, which outlast the processes. */
export class Slot {
  /** Emails that the process has leased or requested, and not released. */
  readonly inHand = new Set<string>();
  /** Milliseconds that each start took. */
  readonly starts: number[] = [];
  private process: HostProcess | undefined;
  private pastOutput = '';
  private readonly watches: HostWatch[] = [];

  private constructor(
    private env: HostEnvironment,
    readonly postgres: TcpProxy<PostgresExchange>,
    readonly redis: TcpProxy<RedisExchange> | undefined,
    readonly smtp: TcpProxy,
    /** The ways to the second relay and to the third, where there are any. */
    readonly backup: TcpProxy | undefined,
    readonly barred: TcpProxy | undefined,
    readonly http: TcpProxy<HttpExchange>,
  ) {
    postgres.watch((moment, exchange) => {
      this.follow(moment === 'request', exchange);
      return undefined;
    });
  }

  static async open(role: 'all' | 'api' | 'worker', targets: SlotTargets): Promise<Slot> {
    const { databaseUrl, redisUrl, relays, smtpQuery, env } = targets;
    const postgres = await TcpProxy.start('127.0.0.1', portOf(databaseUrl), postgresTap);
    const redis = redisUrl === undefined ? undefined : await TcpProxy.start('127.0.0.1', portOf(redisUrl), redisTap);
    const ways = await Promise.all(relays.map(({ port }) => TcpProxy.start('127.0.0.1', port)));
    const [smtp, backup, barred] = ways;
    if (!smtp) throw new Error('A host needs a relay.');
    const http = await TcpProxy.start('127.0.0.1', NOBODY, httpTap);
    const environment = {
      ...env,
      ROLE: role,
      PORT: '0',
      DATABASE_URL: databaseUrl && postgres.through(databaseUrl),
      REDIS_URL: redisUrl && redis?.through(redisUrl),
      SMTP_URL: ways.map(({ port }, at) => `smtp://${relays[at]?.login ?? ''}127.0.0.1:${port}${smtpQuery}`).join(),
    };
    return new Slot(environment, postgres, redis, smtp, backup, barred, http);
  }

  /** URL of the API of this slot, for any process in it. */
  get url(): string {
    return `http://127.0.0.1:${this.http.port}`;
  }

  /** The API without the proxy, which loses answers sent before the end of their request. */
  get directUrl(): string {
    return `http://127.0.0.1:${this.http.target}`;
  }

  /** Redirects new connections to another database. Processes that start from now on get its URL. */
  reach(databaseUrl: string): void {
    this.postgres.target = portOf(databaseUrl);
    this.env = { ...this.env, DATABASE_URL: this.env.DATABASE_URL && this.postgres.through(databaseUrl) };
  }

  get running(): boolean {
    return this.process?.running ?? false;
  }

  /** Output of all processes of this slot. */
  get output(): string {
    return this.pastOutput + (this.process?.output ?? '');
  }

  /**
   * Starts a process; resolves when it listens.
   *
   * @param clockShift milliseconds by which its clock is ahead
   */
  async start(clockShift = 0): Promise<void> {
    if (this.running) throw new Error('This slot has a process already.');
    const begun = performance.now();
    let port: number | undefined;
    for (let tries = 0; port === undefined && tries < TRIES; tries++) port = await this.tryToStart(clockShift);
    if (port === undefined) throw notStarted(this.output);
    this.starts.push(performance.now() - begun);
    this.http.target = port;
  }

  /** The port of the process, `NOBODY` if it was killed; undefined if a server did not answer in time. */
  private async tryToStart(clockShift: number): Promise<number | undefined> {
    const clock = { NODE_OPTIONS: `--import=${CLOCK}`, FAULTS_CLOCK_SHIFT: String(clockShift) };
    const started = spawnScript('main', [], { ...this.env, ...(clockShift !== 0 && clock) });
    this.pastOutput = this.output;
    this.process = started;
    if (started.watch) this.watches.push(started.watch);
    const address = await until(
      () => {
        if (!started.running) return 'gone';
        return /Address {2}http:\/\/127\.0\.0\.1:(\d+)/.exec(started.stdout)?.[1];
      },
      { what: 'the address of a process' },
    );
    if (address !== 'gone') return Number(address);
    if (started.child.signalCode !== null) return NOBODY;
    if (started.output.includes('there was no answer in time')) return undefined;
    throw notStarted(started.output);
  }

  /** Describes violations of the budget by processes of this slot. */
  beyondBudget(): string[] {
    return this.watches.flatMap((watch) => watch.problems());
  }

  /** Maximum memory of the process so far, in bytes; undefined if the system does not report it. */
  get peakMemory(): number | undefined {
    const status = `/proc/${this.process?.child.pid}/status`;
    const [, kilobytes] = (existsSync(status) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))) || [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  }

  /** SIGKILL. Bytes of the process that proxies still hold are never passed on. */
  async kill(): Promise<void> {
    if (this.running) await this.process?.stop('SIGKILL');
    this.nobodyListens();
    for (const proxy of this.proxies) proxy.cut();
  }

  async terminate(): Promise<void> {
    if (this.running) await this.process?.stop('SIGTERM');
    this.nobodyListens();
  }

  /** SIGSTOP: the process is frozen, with open connections. */
  freeze(): void {
    this.process?.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.child.kill('SIGCONT');
  }

  async close(): Promise<void> {
    if (this.running) this.thaw();
    await this.kill();
    await Promise.all(this.proxies.map((proxy) => proxy.close()));
  }

  /** Another program that never answers may soon have the port of a dead process. */
  private nobodyListens(): void {
    this.http.target = NOBODY;
  }

  private get proxies(): { cut(): void; close(): Promise<void> }[] {
    const { postgres, redis, smtp, backup, barred, http } = this;
    return [postgres, smtp, http, redis, backup, barred].flatMap((proxy) => proxy ?? []);
  }

  private follow(isRequest: boolean, exchange: PostgresExchange): void {
    if (isLease(exchange) && isRequest) {
      for (const id of exchange.params[0]?.match(/[0-9a-f-]{36}/g) ?? []) this.inHand.add(id);
    } else if (isLease(exchange)) {
      for (const [id, fence] of exchange.rows) if (id && fence === null) this.inHand.delete(id);
    } else if (isClose(exchange) && !isRequest) {
      for (const [id, done] of exchange.rows) if (id && done === 't') this.inHand.delete(id);
    }
  }
}

function notStarted(output: string): Error {
  return new Error(`A process of the host did not start. Its output:\n${output}`);
}

function portOf(url: string | undefined): number {
  return url === undefined ? NOBODY : Number(new URL(url).port);
}
