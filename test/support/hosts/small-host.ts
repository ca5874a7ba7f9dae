import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type {
  EmailEvent,
  EmailsService,
  EventSubscriptions,
  RecipientPolicy,
  subscribe,
  unsubscribe,
} from 'nestjs-emails';
import type { DataSource } from 'typeorm';
import { freePort } from '../basics/free-port.mjs';
import { queueKind } from '../jest/test-environment.js';
import { freshDatabase, type TestDatabase } from '../servers/postgres.js';
import { freshRedisDatabase } from '../servers/redis.js';
import type { SmtpSink } from '../servers/smtp/smtp-sink.js';
import { askProgram } from './ask-program.js';
import { type HostProcess, spawnProgram } from './host-process.js';
import { RunningHost } from './running-host.js';

const PROGRAM = fileURLToPath(new URL('../../hosts/small-host.mjs', import.meta.url));

/** What a function that runs in the host gets. */
export interface HostTools {
  emails: EmailsService;
  dataSource: DataSource;
  /** What the library told its listener. */
  events: EmailEvent[];
  subscriptions: EventSubscriptions;
  subscribe: typeof subscribe;
  unsubscribe: typeof unsubscribe;
}

/** A third party's host with options of the library of the test's choice. */
export class SmallHost extends RunningHost {
  protected override readonly readyPath = '/emails?limit=1';

  /**
   * Resolves when it answers; it is stopped after the test file. `options`: JSON of `EmailsOptions`, in part.
   * `given`: the database. Default: a fresh one. `policies`: its recipient policies, which see nothing of the test.
   * `settings`: others of the program's than these.
   */
  static async start(
    sink: SmtpSink,
    options: object = {},
    given?: TestDatabase,
    policies: readonly RecipientPolicy[] = [],
    settings: object = {},
  ): Promise<SmallHost> {
    const host = await SmallHost.prepare(sink, options, given, policies, settings);
    await host.start();
    return host;
  }

  /** The same, not started. */
  static async prepare(
    sink: SmtpSink,
    options: object = {},
    given?: TestDatabase,
    policies: readonly RecipientPolicy[] = [],
    others: object = {},
  ): Promise<SmallHost> {
    const [port, database] = await Promise.all([freePort(), given ?? freshDatabase()]);
    const token = randomBytes(16).toString('hex');
    const redisUrl = queueKind() === 'redis' ? await freshRedisDatabase() : undefined;
    const sources = policies.map(({ decide, ...rest }) => ({ ...rest, decide: decide.toString() }));
    const settings = {
      port,
      token,
      databaseUrl: database.url,
      redisUrl,
      smtpUrl: sink.url,
      options,
      policies: sources,
      ...others,
    };
    const env = { SETTINGS: JSON.stringify(settings) };
    return new SmallHost(`http://127.0.0.1:${port}`, token, database, redisUrl, env);
  }

  /** Starts it with other settings than before. */
  async startWith(settings: object): Promise<void> {
    if (this.process?.running) await this.kill();
    this.change(settings);
    await this.start();
  }

  /** What it says when it is started with other settings than before, and refuses that. */
  async refusal(settings: object): Promise<string> {
    if (this.process?.running) await this.kill();
    this.change(settings);
    const refusing = this.launch();
    if ((await refusing.exited) === 0) throw new Error('The host was not refused.');
    return refusing.output;
  }

  private change(settings: object): void {
    this.env.SETTINGS = JSON.stringify({ ...JSON.parse(this.env.SETTINGS ?? '{}'), ...settings });
  }

  /**
   * Runs a function in the host's process. It sees nothing of the test but its arguments, which go there as JSON, as
   * does what it resolves with or the properties of the error it rejects with.
   */
  async run<Args extends readonly unknown[], T>(
    work: (tools: HostTools, ...args: Args) => Promise<T>,
    ...args: Args
  ): Promise<T> {
    if (!this.process) throw new Error('The host was never started.');
    return askProgram<T>(this.process, { code: work.toString(), args });
  }

  protected override launch(): HostProcess {
    return spawnProgram(PROGRAM, [], this.env, { ipc: true });
  }
}
