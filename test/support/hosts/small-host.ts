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
import type { DatabaseClient } from '../../hosts/transactions/client.js';
import type { ClientName } from '../../hosts/transactions/clients.js';
import { freePort } from '../basics/free-port.mjs';
import { queueKind } from '../jest/test-environment.js';
import { freshDatabase, type TestDatabase } from '../servers/postgres.js';
import { freshRedisDatabase } from '../servers/redis.js';
import type { SmtpSink } from '../servers/smtp/smtp-sink.js';
import { askProgram } from './ask-program.js';
import { type HostProcess, spawnProgram } from './host-process.js';
import { RunningHost } from './running-host.js';

const PROGRAM = fileURLToPath(new URL('../../hosts/small-host.mjs', import.meta.url));

/** Argument of a function that runs in the host. */
export interface HostTools {
  emails: EmailsService;
  dataSource: DataSource;
  connect: (name: ClientName) => Promise<DatabaseClient>;
  /** Events that the library's listener got. */
  events: EmailEvent[];
  subscriptions: EventSubscriptions;
  subscribe: typeof subscribe;
  unsubscribe: typeof unsubscribe;
}

/** A third-party host with the test's options for the library. */
export class SmallHost extends RunningHost {
  protected override readonly readyPath = '/emails?limit=1';

  /**
   * Resolves when it answers; it is stopped after the test file. `options`: JSON of `EmailsOptions`, in part. `given`:
   * the database. Default: a fresh one. `policies`: its recipient policies, which cannot access the test's variables.
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

  /** The host's setting `ports`: implementations as sources, which cannot access the test's variables. */
  static ports(ports: Readonly<Record<string, readonly object[]>>): object {
    const source = (value: unknown) => (typeof value === 'function' ? value.toString() : value);
    return JSON.parse(JSON.stringify(ports, (_, value) => source(value)));
  }

  /** Starts it with other settings than before. */
  async startWith(settings: object): Promise<void> {
    if (this.process?.running) await this.kill();
    this.change(settings);
    await this.start();
  }

  /** Its error message for a refused start with changed settings. */
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
   * Runs a function in the host's process. It can access only its arguments. Arguments, result and the properties of an
   * error are passed as JSON.
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
