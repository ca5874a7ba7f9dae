import { randomBytes } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import { PATIENCE } from '../basics/patience.mjs';
import { eventually } from '../basics/wait-for.js';
import { hostKind } from '../jest/test-environment.js';
import { type Answer, httpRequest, type RequestOptions } from '../requests/http-request.js';
import type { TestDatabase } from '../servers/postgres.js';
import { type HostEnvironment, type HostProcess, runScript, type ScriptResult, spawnScript } from './host-process.js';
import { spareKeys, testedHost } from './tested-host.js';

/** Longest time of a start on an idle machine. Milliseconds. */
const ORDINARY_START = 1_000;
/** Time between the death of a process and the next attempt: a lease, and a sweep. Milliseconds. */
const LEASE_AND_SWEEP = 10_000;

/** $1: name, $2: token. */
const MAKE_ACCOUNT = `
WITH made AS (INSERT INTO nestjs_emails.accounts (id, name) VALUES (gen_random_uuid(), $1) RETURNING id)
INSERT INTO nestjs_emails.api_keys (id, account_id, name, permission, token_hash)
SELECT gen_random_uuid(), id, 'account', 'full_access', sha256($2::text::bytea) FROM made
RETURNING account_id AS account`;

/** The host as an operator and a client see it: a process, its environment, its HTTP, its database. */
export class RunningHost {
  protected process: HostProcess | undefined;
  /** Answers 200, to the key of the tests, when everything is up. */
  protected readonly readyPath: string = testedHost.readyPath;
  private past = '';
  private accountsMade = 0;
  protected slowestStart = ORDINARY_START;

  constructor(
    /** `http://127.0.0.1:port`, and where the contract's paths begin; the same after a restart. */
    readonly url: string,
    /** The bootstrap API key: full access, account `default`. */
    readonly token: string,
    /** Undefined where the host brings its own. */
    readonly database: TestDatabase | undefined,
    /** Undefined where the queue is PostgreSQL. */
    readonly redisUrl: string | undefined,
    /** The host's environment except PATH and HOME. */
    readonly env: HostEnvironment,
    /** The folder of its scripts. Default: the built host. */
    private readonly version?: string,
  ) {}

  get databaseUrl(): string {
    return this.ownDatabase().url;
  }

  get dataDir(): string {
    return this.env.DATA_DIR ?? '';
  }

  get pid(): number | undefined {
    return this.process?.child.pid;
  }

  get isRunning(): boolean {
    return this.process?.running ?? false;
  }

  /** Violations of the host's budget since the last call, in words. */
  beyondBudget(): string[] {
    return this.process?.watch?.problems() ?? [];
  }

  /** Everything the host wrote to stdout and stderr since its first start. */
  get output(): string {
    return this.past + (this.process?.output ?? '');
  }

  /**
   * This many seconds, in milliseconds, on a machine on which a host starts within one second; on a slower or busier
   * one scaled by the slowest start of this host.
   */
  seconds(count: number): number {
    return Math.ceil(count * this.slowestStart);
  }

  /** Milliseconds from the crash of a process to the end of the emails that it had: 15 seconds, of which 5 are work. */
  get recoveryLimit(): number {
    return LEASE_AND_SWEEP + this.seconds(5);
  }

  /** Sends SQL to the host's database, past any proxy, and returns the rows. */
  query<T extends QueryResultRow = QueryResultRow>(sql: string, params?: readonly unknown[]): Promise<T[]> {
    return this.ownDatabase().query<T>(sql, params);
  }

  /** A request with the bootstrap key, unless `token` names another or is null. */
  request<T = Record<string, unknown>>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    return httpRequest<T>(this.url, method, path, { token: this.token, ...options });
  }

  /** Creates another account, or uses an existing one, and returns its full-access key. */
  async account(name: string): Promise<{ account: string; token: string }> {
    if (hostKind() === 'minimal') {
      const account = `spare${this.accountsMade}`;
      const token = spareKeys(this.token)[this.accountsMade++];
      if (token === undefined) throw new Error('The minimal host has no more accounts.');
      return { account, token };
    }
    return this.database ? this.writeAccount(name) : this.commandAccount(name);
  }

  /** Has the effect of the operator's command, without a program that takes a second to start. */
  private async writeAccount(name: string): Promise<{ account: string; token: string }> {
    const token = `re_${randomBytes(32).toString('base64url')}`;
    const [made] = await this.query<{ account: string }>(MAKE_ACCOUNT, [name, token]);
    if (made === undefined) throw new Error('No account was made.');
    return { ...made, token };
  }

  private async commandAccount(name: string): Promise<{ account: string; token: string }> {
    const { code, stdout, output } = await runScript('account', ['create', name], this.env);
    if (code !== 0) throw new Error(`apps/host/dist/account.js ended with ${code}:\n${output}`);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  /** Starts the process; resolves when the host is ready, rejects with its output when it ends or takes too long. */
  async start(): Promise<void> {
    const begun = performance.now();
    const started = this.spawn();
    await eventually(
      async () => {
        if (!started.running) return;
        const { status, text } = await this.request('GET', this.readyPath);
        if (status !== 200) throw new Error(`${this.readyPath} answers ${status}: ${text}`);
      },
      { timeout: PATIENCE },
    ).catch(async (error: unknown) => {
      await started.stop('SIGKILL');
      throw new Error(`The host did not get ready. It said:\n${started.output}`, { cause: error });
    });
    if (!started.running) {
      const code = await started.exited;
      throw new Error(`The host ended with ${code} instead of getting ready. It said:\n${started.output}`);
    }
    this.slowestStart = Math.max(this.slowestStart, performance.now() - begun);
  }

  /** Starts the process and waits for its end, for starts that must fail. */
  async runToEnd(): Promise<ScriptResult> {
    return runScript('main', [], this.env, this.version);
  }

  /** Sends the signal and resolves to the exit code, null when a signal ended it, also if it had ended before. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.process) throw new Error('The host was never started.');
    return this.process.stop(signal);
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill(): Promise<void> {
    await this.stop('SIGKILL');
  }

  /** Stops the host by SIGTERM if it runs, starts it with the same environment and data, and waits until it is ready. */
  async restart(): Promise<void> {
    if (this.process?.running) await this.stop();
    await this.start();
  }

  private spawn(): HostProcess {
    if (this.process?.running) throw new Error('The host is running already.');
    this.past = this.output;
    this.process = this.launch();
    return this.process;
  }

  protected launch(): HostProcess {
    return spawnScript('main', [], this.env, this.version);
  }

  private ownDatabase(): TestDatabase {
    if (!this.database) throw new Error('This host has an embedded database, whose address tests do not have.');
    return this.database;
  }
}
