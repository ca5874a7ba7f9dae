import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterFile } from '../basics/cleanup.js';
import { steadyPort } from '../basics/steady-port.js';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { generation, hostKind, queueKind } from '../jest/test-environment.js';
import { lastingDatabase, openDatabase } from '../servers/postgres.js';
import { lastingRedisDatabase } from '../servers/redis.js';
import { SmtpSink } from '../servers/smtp/smtp-sink.js';
import { plainEnvironment, urlOf } from './host.js';
import { type HostEnvironment, type HostProcess, spawnLasting } from './host-process.js';
import { HostSlot, type SlotHost, signal } from './host-slot.js';
import { HostWatch } from './host-watch.js';
import { RunningHost } from './running-host.js';
import { UsedDatabase } from './used-database.js';

/** Timeout of a small request. Milliseconds. */
const ANSWER_LIMIT = 30_000;

/** A host with default options that no other file uses at the same time, and its sink. */
export interface HostLease {
  host: RunningHost;
  sink: SmtpSink;
  /** Releases the host, without the data of this file. Called after the file. */
  release(): Promise<void>;
}

/**
 * Leases a host of an earlier file, or starts one for later files too. Concurrent files have one each. For suites that
 * need only a host, a sink and accounts: the host cannot be stopped, it remembers failed keys and past warnings, and
 * its database must keep its tables, functions and triggers.
 *
 * @param kind files that name another one share among themselves
 */
export async function shareHost(kind = [hostKind(), generation(), queueKind()].join('-')): Promise<HostLease> {
  const slot = HostSlot.claim(kind);
  try {
    const lease = (await leaseRunning(slot)) ?? (await leaseNew(slot));
    afterFile(() => lease.release());
    return lease;
  } catch (error) {
    slot.empty();
    slot.free();
    throw error;
  }
}

/** Undefined when no host runs in the slot, or its host differs from a new one. */
async function leaseRunning(slot: HostSlot): Promise<HostLease | undefined> {
  const running = slot.read();
  if (!running) return undefined;
  const port = Number(new URL(running.env.SMTP_URL ?? '').port);
  const sink = await SmtpSink.start({ port }).catch(() => undefined);
  if (sink) {
    const host = new SharedHost(running.env, slot, running);
    const lease = new SharedLease(slot, host, sink);
    host.goOn();
    const problem = await lease.problem(running.schema);
    if (!problem) return lease;
    await sink.close();
    report(problem);
  } else report(`another program listens on port ${port}`);
  slot.empty();
  return undefined;
}

async function leaseNew(slot: HostSlot): Promise<HostLease> {
  const sink = await SmtpSink.start({ port: await steadyPort() });
  const env = await plainEnvironment({
    dataDir: makeTempFolder('emails-test-host-'),
    databaseUrl: await lastingDatabase(),
    redisUrl: queueKind() === 'redis' ? await lastingRedisDatabase() : undefined,
    smtpUrl: sink.url,
  });
  const host = new SharedHost(env, slot);
  const lease = new SharedLease(slot, host, sink);
  await host.begin();
  const schema = await lease.database.schema();
  if (host.pid === undefined) throw new Error('A shared host has no process.');
  slot.write({ pid: host.pid, env, startTime: host.startTime, schema });
  const problem = await lease.problem(schema);
  if (problem) throw new Error(`A new host is not as \`UsedDatabase\` leaves one: ${problem}.`);
  return lease;
}

class SharedLease implements HostLease {
  readonly database: UsedDatabase;
  private released = false;

  constructor(
    private readonly slot: HostSlot,
    readonly host: SharedHost,
    readonly sink: SmtpSink,
  ) {
    this.database = new UsedDatabase(host, host.token);
  }

  /** Returns the reason why no file may use the host; undefined if the host is like a new one. */
  async problem(schema: string): Promise<string | undefined> {
    try {
      await this.expectAnswer();
      const leftovers = await this.database.leftovers();
      if (leftovers.length > 0) return `there are rows in ${leftovers.join(', ')}`;
      return schema === (await this.database.schema()) ? undefined : 'there are other tables, triggers or functions';
    } catch (error) {
      return (error as Error).message;
    }
  }

  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    try {
      await this.cleanUp();
    } catch (error) {
      report((error as Error).message);
      this.slot.empty();
    }
    try {
      await this.sink.close();
    } finally {
      this.host.pause();
      this.slot.free();
    }
  }

  /** The sink stays until nothing more is sent, so that the host never loses its next hop. */
  private async cleanUp(): Promise<void> {
    this.sink.reset();
    this.sink.cut();
    await this.expectAnswer();
    await this.database.settle();
    await this.database.clear();
  }

  private async expectAnswer(): Promise<void> {
    const { status } = await this.host.request('GET', '/emails?limit=1', { timeout: ANSWER_LIMIT });
    if (status !== 200) throw new Error(`it answers ${status}`);
  }
}

class SharedHost extends RunningHost {
  /** Start of this lease's output. */
  private readonly logStart: number;
  private readonly log: string;
  private readonly watch: HostWatch;

  constructor(
    env: HostEnvironment,
    { log, findings }: HostSlot,
    private readonly running?: SlotHost,
  ) {
    super(urlOf(env), env.BOOTSTRAP_API_KEY ?? '', openDatabase(env.DATABASE_URL ?? ''), env.REDIS_URL, env);
    this.log = log;
    this.logStart = existsSync(log) ? statSync(log).size : 0;
    this.watch = new HostWatch(findings);
    this.slowestStart = running?.startTime ?? this.slowestStart;
  }

  override get pid(): number | undefined {
    return this.running?.pid ?? super.pid;
  }

  /** Output of the host since this lease began. */
  override get output(): string {
    return existsSync(this.log) ? readFileSync(this.log).subarray(this.logStart).toString() : '';
  }

  /** Duration of its start. Milliseconds. */
  get startTime(): number {
    return this.slowestStart;
  }

  /** Starts it, for the first file that leases it. */
  async begin(): Promise<void> {
    await super.start().catch((error: unknown) => {
      throw new Error(`The shared host did not start. It said:\n${this.output}`, { cause: error });
    });
  }

  /** Between two leases its polls of queue and database would take more than a hundredth of a core. */
  pause(): void {
    if (this.pid) signal(this.pid, 'SIGSTOP');
  }

  goOn(): void {
    if (this.pid) signal(this.pid, 'SIGCONT');
  }

  override start(): Promise<void> {
    return isShared();
  }

  override stop(): Promise<number | null> {
    return isShared();
  }

  protected override launch(): HostProcess {
    return spawnLasting('main', this.env, this.log, this.watch);
  }
}

async function isShared(): Promise<never> {
  throw new Error('Other files use this host too: a test that stops or starts one needs its own, by `startHost`.');
}

function report(problem: string): void {
  process.stderr.write(`A shared host is not used any more: ${problem}\n`);
}
