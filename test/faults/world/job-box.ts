import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type pg from 'pg';

/** Jobs added at a time. */
const BULK = 1_000;

/** The queue from the view of an operator with too many rights: adds and removes jobs, and empties it. */
export class JobBox {
  private readonly redis: Redis | undefined;
  private opened: Queue | undefined;

  constructor(
    public pool: pg.Pool,
    private readonly redisUrl: string | undefined,
  ) {
    this.redis = redisUrl === undefined ? undefined : new Redis(redisUrl, { maxRetriesPerRequest: null });
    // Redis is unreachable in some scenarios; commands wait for it.
    this.redis?.on('error', () => {});
  }

  /** Adds a job per id, all for this email. */
  async add(emailId: string, jobIds: readonly string[]): Promise<void> {
    await this.addBulk(jobIds.map((jobId) => ({ emailId, jobId })));
  }

  /** Adds the job of each email's first turn, as the product does. */
  async addFirst(emailIds: readonly string[]): Promise<void> {
    for (let at = 0; at < emailIds.length; at += BULK) {
      await this.addBulk(emailIds.slice(at, at + BULK).map((emailId) => ({ emailId, jobId: `${emailId}-0-now` })));
    }
  }

  /** Removes waiting jobs that name an email, even if they name others too. Resolves to whether it removed any. */
  async remove(emailId: string): Promise<boolean> {
    const queue = await this.queue();
    if (queue) {
      const waiting = await queue.getJobs(['waiting', 'delayed', 'prioritized']);
      const ours = waiting.filter((job) => JSON.stringify(job?.data ?? null).includes(emailId));
      await Promise.all(ours.map((job) => job.remove()));
      return ours.length > 0;
    }
    const { rowCount } = await this.pool.query(
      "DELETE FROM bullmq.job WHERE strpos(data::text, $1) > 0 AND state IN ('waiting', 'delayed')",
      [emailId],
    );
    return (rowCount ?? 0) > 0;
  }

  /** Deletes everything, including active jobs. */
  async empty(): Promise<void> {
    if (this.redis) await this.redis.flushall();
    else await this.pool.query('DELETE FROM bullmq.job');
  }

  /** Limits what Redis may keep, in bytes; 0 lifts the limit. */
  async limitMemory(bytes: number): Promise<void> {
    await this.redis?.config('SET', 'maxmemory', String(bytes));
  }

  private async addBulk(jobs: readonly { emailId: string; jobId: string }[]): Promise<void> {
    const opts = { removeOnComplete: true, removeOnFail: true };
    const queue = await this.queue();
    if (queue) {
      await queue.addBulk(
        jobs.map(({ emailId, jobId }) => ({ name: 'deliver', data: { emailId }, opts: { ...opts, jobId } })),
      );
      return;
    }
    const name = await this.queueName();
    const entries = jobs.map(({ emailId, jobId }) => ({
      queue: name,
      id: jobId,
      name: 'deliver',
      data: JSON.stringify({ emailId }),
      opts: { ...opts, jobId },
      timestamp: Date.now(),
    }));
    await this.pool.query('SELECT bullmq.add_jobs_bulk($1, $2)', [name, JSON.stringify(entries)]);
  }

  /** Opened when the database has its tables. Undefined if the queue is in PostgreSQL. */
  private async queue(): Promise<Queue | undefined> {
    if (this.redisUrl === undefined) return undefined;
    this.opened ??= new Queue(await this.queueName(), { connection: { url: this.redisUrl } });
    if (this.opened.listenerCount('error') === 0) this.opened.on('error', () => {});
    return this.opened;
  }

  private async queueName(): Promise<string> {
    const { rows } = await this.pool.query<{ id: string }>('SELECT id FROM nestjs_emails.identity');
    return `{emails-${rows[0]?.id}}`;
  }

  async close(): Promise<void> {
    this.redis?.disconnect();
    await this.opened?.disconnect();
  }
}
