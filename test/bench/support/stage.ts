import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freePort } from '../../support/basics/free-port.mjs';
import { PATIENCE } from '../../support/basics/patience.mjs';
import { makeTempFolder } from '../../support/basics/temp-folder.mjs';
import { tie } from '../../support/basics/tied-children.mjs';
import { NODE_ARGUMENTS } from '../../support/hosts/node-arguments.js';
import { startRedisServer } from '../../support/servers/redis-server.mjs';
import type { Load, LoadResult } from '../load/generator.js';
import type { Link, SinkCount } from '../load/sink.js';
import type { PoolLoad } from '../sides/nodemailer-pool.js';
import { Child, stopProcess } from './child.js';
import { startPostgresServer } from './postgres.js';

export type Queue = 'redis' | 'postgres';
export type Role = 'all' | 'api' | 'worker';

/** A measured process. */
export interface Worker {
  pid: number;
  stop(): Promise<void>;
}

/** A side of a comparison while it runs. */
export interface Side extends Worker {
  port: number;
}

/** Storage of a side: a fresh database and, for a queue in Redis, a fresh Redis database. */
export interface Place {
  databaseUrl: string;
  redisUrl: string | undefined;
  query<T>(sql: string, params?: readonly unknown[]): Promise<T[]>;
  /** Clears Redis and all pending work. */
  clearQueue(): Promise<void>;
  drop(): Promise<void>;
}

/** Differences of our host from `npm start`. */
export interface Variant {
  /** The kind of its next hop. Default: `relay` */
  hop?: 'final' | 'relay';
  /** True if words are indexed. Default: true */
  search?: boolean;
  /** Default: none, as there. */
  bounceDomain?: string;
  /** Default: true */
  hasFeedback?: boolean;
  /** File in which it keeps the delays of its event loop. Default: none */
  loopDelay?: string;
  /** Recipients of each account in a day, and in a month. Default: no limit */
  quota?: number;
  /** Default: all, as there. */
  recipientsPerMessage?: 1;
  /** Limit of its next hop. Default: none */
  maxPerSecond?: number;
}

const WITHOUT_FEEDBACK = new URL('../sides/without-feedback.mjs', import.meta.url).href;
const LOOP_DELAY = new URL('../sides/loop-delay.mjs', import.meta.url).href;
const HOST = fileURLToPath(new URL('../../../apps/host/dist/', import.meta.url));

export const TOKEN = `re_${randomBytes(32).toString('hex')}`;

/** The servers, the sink and the generator of a run, and the sides between them. */
export class Stage {
  private readonly endings: (() => Promise<unknown>)[] = [];
  private readonly redisDatabases = Array.from({ length: 1_000 }, (_, index) => index);

  private constructor(
    private readonly folder: string,
    private readonly adminUrl: string,
    private readonly redisUrl: string,
    private readonly sink: Child<{ port: number }>,
    private readonly generator: Child,
  ) {}

  static async set(): Promise<Stage> {
    if (!existsSync(join(HOST, 'main.js'))) throw new Error('The host is not built: run `npm run build` first.');
    const folder = makeTempFolder('emails-bench-');
    process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const postgres = await startPostgresServer(join(folder, 'postgres'));
    const redis = await startRedisServer({ folder: join(folder, 'redis') });
    const sink = await Child.start<{ port: number }>('load/sink.ts');
    const generator = await Child.start('load/generator.ts');
    const stage = new Stage(folder, postgres.url, redis.url, sink, generator);
    stage.endings.push(
      () => generator.stop(),
      () => sink.stop(),
      () => redis.stop(),
      () => postgres.stop(),
    );
    await stage.admin(async (client) => {
      await client.query('CREATE DATABASE bench_template');
    });
    await runHost('migrate', { DATABASE_URL: stage.databaseUrl('bench_template') });
    return stage;
  }

  async end(): Promise<void> {
    for (const ending of this.endings) await ending();
  }

  get smtpPort(): number {
    return this.sink.ready.port;
  }

  async place(queue: Queue): Promise<Place> {
    const name = `bench_${randomBytes(4).toString('hex')}`;
    await this.admin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE bench_template`));
    const databaseUrl = this.databaseUrl(name);
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    pool.on('error', () => {});
    const redisUrl = queue === 'redis' ? `${this.redisUrl}/${this.redisDatabases.pop()}` : undefined;
    return {
      databaseUrl,
      redisUrl,
      query: async (sql, params = []) => (await pool.query(sql, [...params])).rows,
      clearQueue: async () => {
        await pool.query('UPDATE nestjs_emails.deliveries SET due_at = NULL WHERE due_at IS NOT NULL');
        if (redisUrl === undefined) return;
        const redis = new Redis(redisUrl);
        await redis.flushdb();
        redis.disconnect();
      },
      drop: async () => {
        await pool.end();
        await this.admin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
      },
    };
  }

  /** Processor time of the servers so far in microseconds, all processes of PostgreSQL together. */
  async serversTime(): Promise<{ postgres: number; redis: number }> {
    const redis = new Redis(this.redisUrl);
    const info = await redis.info('server');
    redis.disconnect();
    const postgres = await this.admin(async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return parentOf(rows[0]?.pid ?? 0);
    });
    return { postgres: familyTime(postgres), redis: processorTime(Number(/process_id:(\d+)/.exec(info)?.[1])) };
  }

  /** Bytes that Redis uses, for all places of the run. */
  async redisMemory(): Promise<number> {
    const redis = new Redis(this.redisUrl);
    const info = await redis.info('memory');
    redis.disconnect();
    return Number(/used_memory:(\d+)/.exec(info)?.[1]);
  }

  /** A file of this run that is not there yet. */
  file(name: string): string {
    return join(this.folder, `${name}-${randomBytes(4).toString('hex')}`);
  }

  floor(): Promise<Side> {
    return this.script('sides/floor.ts', {});
  }

  /** Seconds from the start of the floor until it listens. */
  async floorStart(): Promise<number> {
    const started = performance.now();
    const side = await this.floor();
    const seconds = (performance.now() - started) / 1_000;
    await side.stop();
    return seconds;
  }

  book(place: Place, role: Role): Promise<Side> {
    return this.script('sides/book/main.ts', {
      ROLE: role,
      DATABASE_URL: place.databaseUrl,
      REDIS_URL: place.redisUrl ?? '',
      SMTP_PORT: String(this.smtpPort),
    });
  }

  /** Our host like `npm start`, except for its log. */
  async ours(place: Place, role: Role, variant: Variant = {}): Promise<Side> {
    const {
      hop = 'relay',
      search = true,
      bounceDomain,
      hasFeedback = true,
      loopDelay,
      quota,
      recipientsPerMessage,
      maxPerSecond,
    } = variant;
    const limit = maxPerSecond === undefined ? '' : `?maxPerSecond=${maxPerSecond}`;
    const env = {
      SMTP_HOP: hop,
      ...(bounceDomain !== undefined && { BOUNCE_DOMAIN: bounceDomain }),
      ...(quota !== undefined && { QUOTA_PER_DAY: String(quota), QUOTA_PER_MONTH: String(quota) }),
      ...(recipientsPerMessage !== undefined && { RECIPIENTS_PER_MESSAGE: String(recipientsPerMessage) }),
      SEARCH: String(search),
      ROLE: role,
      DATABASE_URL: place.databaseUrl,
      ...(place.redisUrl !== undefined && { REDIS_URL: place.redisUrl }),
      SMTP_URL: `smtp://127.0.0.1:${this.smtpPort}${limit}`,
      BOOTSTRAP_API_KEY: TOKEN,
      SECRET_KEY: TOKEN,
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
      DATA_DIR: join(this.folder, 'data'),
      ...(loopDelay !== undefined && { BENCH_LOOP_DELAY: loopDelay }),
    };
    const preloaded = [...(hasFeedback ? [] : [WITHOUT_FEEDBACK]), ...(loopDelay === undefined ? [] : [LOOP_DELAY])];
    return this.host(
      env,
      preloaded.flatMap((url) => ['--import', url]),
    );
  }

  /** Seconds from the start of a host for which nothing is configured until it is ready, the second time. */
  async secondStart(): Promise<number> {
    const folder = join(this.folder, `start-${randomBytes(4).toString('hex')}`);
    const first = await this.host({ DATA_DIR: folder });
    await first.stop();
    const started = performance.now();
    const second = await this.host({ DATA_DIR: folder });
    const seconds = (performance.now() - started) / 1_000;
    await second.stop();
    return seconds;
  }

  private async host(env: Record<string, string>, nodeArguments: readonly string[] = []): Promise<Side> {
    const port = await freePort();
    const extra = (process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean);
    const child = tie(
      spawn(process.execPath, [...NODE_ARGUMENTS, ...extra, ...nodeArguments, join(HOST, 'main.js')], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'warn', ...env },
      }),
    );
    await ready(child, port);
    return { port, pid: child.pid ?? 0, stop: () => stopProcess(child) };
  }

  /** Nodemailer's pool, at work. @param dkimKey PEM of the key by which it signs. Default: it does not */
  async nodemailer(load: PoolLoad, dkimKey?: string): Promise<Worker> {
    const env = { SMTP_PORT: String(this.smtpPort), ...(dkimKey !== undefined && { DKIM_KEY: dkimKey }) };
    const child = await Child.start('sides/nodemailer-pool.ts', [], env);
    child.tell(load);
    return child;
  }

  load(load: Load): Promise<LoadResult> {
    return this.generator.ask(load);
  }

  /** Raises the number of requests that the current load may send. */
  allow(count: number): void {
    this.generator.tell({ allow: count });
  }

  /** A second generator, for other load at the same time. */
  async besides(load: Load): Promise<{ result: Promise<LoadResult>; stop(): Promise<void> }> {
    const child = await Child.start('load/generator.ts');
    return { result: child.ask<LoadResult>(load), stop: () => child.stop() };
  }

  taken(): Promise<SinkCount> {
    return this.sink.ask('count');
  }

  async forgetTaken(): Promise<void> {
    await this.sink.ask('reset');
  }

  /** Gives the sink the latency of a link during the work. */
  async over<T>(link: Link, work: () => Promise<T>): Promise<T> {
    await this.sink.ask(link);
    try {
      return await work();
    } finally {
      await this.sink.ask({ delay: 0, pipelining: false } satisfies Link);
    }
  }

  /** Accepted messages when they were `count`, or a few more. */
  async untilTaken(count: number): Promise<SinkCount> {
    const deadline = Date.now() + 300_000;
    for (;;) {
      const taken = await this.taken();
      if (taken.count >= count) return taken;
      if (Date.now() > deadline) throw new Error(`Only ${taken.count} of ${count} messages came.`);
      await delay(50);
    }
  }

  private async script(script: string, env: NodeJS.ProcessEnv): Promise<Side> {
    const child = await Child.start<{ port: number }>(script, [], env);
    return { port: child.ready.port, pid: child.pid, stop: () => child.stop() };
  }

  private databaseUrl(name: string): string {
    const url = new URL(this.adminUrl);
    url.pathname = name;
    return url.href;
  }

  private async admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.adminUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** $1: name, $2: token. */
const MAKE_ACCOUNT = `
WITH made AS (INSERT INTO nestjs_emails.accounts (id, name) VALUES (gen_random_uuid(), $1) RETURNING id)
INSERT INTO nestjs_emails.api_keys (id, account_id, name, permission, token_hash)
SELECT gen_random_uuid(), id, 'account', 'full_access', sha256($2::text::bytea) FROM made`;

/** Returns the key of a new account. */
export async function makeAccount(place: Place, name: string): Promise<string> {
  const token = `re_${randomBytes(32).toString('hex')}`;
  await place.query(MAKE_ACCOUNT, [name, token]);
  return token;
}

/** The answer of a side to one request. @throws Error for a refusal */
export async function call<Body>({ port }: Side, method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Resident memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Number(pages) * 4_096;
}

/** User and system time of a process so far, in microseconds. Linux counts it in hundredths of a second. */
export function processorTime(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** The same of a process, its children, and those that it had. */
function familyTime(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const running = children.reduce((sum, child) => sum + timeUnlessEnded(child), 0);
  const [, , , , , , , , , , , , , ended = 0, endedSystem = 0] = statOf(pid).map(Number);
  return running + processorTime(pid) + (ended + endedSystem) * 10_000;
}

/** The time of an ended process is included in its parent's. */
function timeUnlessEnded(pid: number): number {
  try {
    return processorTime(pid);
  } catch {
    return 0;
  }
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** Linux's `stat` of a process, from its state on. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
}

async function ready(child: ChildProcess, port: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; ; await delay(30)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The host did not get ready.');
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
  }
}

function runHost(script: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = tie(
      spawn(process.execPath, [join(HOST, `${script}.js`)], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: process.env.PATH, ...env },
      }),
    );
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}.`))));
  });
}
