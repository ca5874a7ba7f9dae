import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { EmailEvent, EmailsService } from 'nestjs-emails';
import type { DataSource } from 'typeorm';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { PATIENCE } from '../basics/patience.mjs';
import { until, within } from '../basics/wait-for.js';
import { queueKind } from '../jest/test-environment.js';
import { type Answer, httpRequest, type RequestOptions } from '../requests/http-request.js';
import { freshDatabase, type Query, type TestDatabase } from '../servers/postgres.js';
import { freshRedisDatabase } from '../servers/redis.js';
import type { SmtpSink } from '../servers/smtp/smtp-sink.js';
import { HostProcess } from './host-process.js';

const SCRIPT = fileURLToPath(new URL('../../hosts/small-host.mjs', import.meta.url));

/** What a function that runs in the host gets. */
export interface HostTools {
  emails: EmailsService;
  dataSource: DataSource;
  /** What the library told its listener. */
  events: EmailEvent[];
}

/** A third party's host with options of the library of the test's choice. */
export class SmallHost {
  private runs = 0;

  private constructor(
    readonly url: string,
    readonly token: string,
    private readonly database: TestDatabase,
    private readonly process: HostProcess,
  ) {}

  /**
   * Resolves when it answers; it is stopped after the test file. `options`: JSON of `EmailsOptions`, in part.
   * `given`: the database. Default: a fresh one.
   */
  static async start(sink: SmtpSink, options: object = {}, given?: TestDatabase): Promise<SmallHost> {
    const [port, database] = await Promise.all([freePort(), given ?? freshDatabase()]);
    const token = randomBytes(16).toString('hex');
    const redisUrl = queueKind() === 'redis' ? await freshRedisDatabase() : undefined;
    const settings = { port, token, databaseUrl: database.url, redisUrl, smtpUrl: sink.url, options };
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SETTINGS: JSON.stringify(settings) };
    const started = new HostProcess(
      spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
    );
    afterFile(() => (started.running ? started.stop('SIGTERM') : undefined));
    await until(() => started.stdout.includes('ready') || !started.running, { what: 'the small host' });
    if (!started.running) throw new Error(`The small host did not start. It said:\n${started.output}`);
    return new SmallHost(`http://127.0.0.1:${port}`, token, database, started);
  }

  /** What it wrote to stdout and stderr. */
  get output(): string {
    return this.process.output;
  }

  get pid(): number | undefined {
    return this.process.child.pid;
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  get query(): Query {
    return this.database.query;
  }

  /**
   * Runs a function in the host's process. It sees nothing of the test but its arguments, which go there as JSON, as
   * does what it resolves with or the properties of the error it rejects with.
   */
  async run<Args extends readonly unknown[], T>(
    work: (tools: HostTools, ...args: Args) => Promise<T>,
    ...args: Args
  ): Promise<T> {
    const { child } = this.process;
    const id = ++this.runs;
    const answered = new Promise<{ value: T; error?: object }>((resolve) => {
      const take = (message: { id: number; value: T; error?: object }) => {
        if (message.id !== id) return;
        child.off('message', take);
        resolve(message);
      };
      child.on('message', take);
    });
    child.send({ id, code: work.toString(), args });
    const { value, error } = await within(answered, PATIENCE, 'the function in the host');
    if (error) throw Object.assign(new Error(), error);
    return value;
  }

  request<T = Record<string, unknown>>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    return httpRequest<T>(this.url, method, path, { token: this.token, ...options });
  }
}
