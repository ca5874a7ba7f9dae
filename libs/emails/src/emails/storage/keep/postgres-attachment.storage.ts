import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../../shared/errors/api-error.js';
import { isLockTimeout } from '../../../shared/errors/database-errors.js';
import { atSavepoint } from '../../../shared/rows/at-savepoint.js';
import { type SqlTransaction, sqlOf } from '../../../shared/rows/sql-transaction.js';
import { Semaphore } from '../../../shared/work/semaphore.js';
import type { SeekingAttachmentStorage } from '../../ports/attachment-storage.js';

const SLICE = 1_000_000;
/**
 * Bytes of a piece in the stream. Each stage of the reader buffers as many pieces as its turn of the event loop takes.
 */
const PIECE = 48_000;
/** Bytes that are in memory of a content that is read in part: many may be read at the same time, and slowly. */
const PART = 250_000;
/** Limit of connections for reading parts: other work needs the rest of the pool. */
const PART_CONNECTIONS = 4;

/** Time limit for a transaction that has put or touched the same content without commit. Milliseconds. */
const PATIENCE = 15_000;
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/** Advisory lock of a content, held until the transaction that puts it ends. */
const LOCK = `hashtextextended($1, ${0x656d_6c63})`;

/** Touched at most once an hour, by one of several simultaneous writers. */
const STALE = "hash = $1 AND slice = 0 AND touched_at < now() - interval '1 hour'";
/** Safe from housekeeping, which deletes contents not touched for a day, long enough to refer to it. */
const KEPT = "hash = $1 AND slice = 0 AND touched_at >= now() - interval '23 hours'";
const TOUCHED = `
stale AS (SELECT hash, slice FROM nestjs_emails.attachment_contents WHERE ${STALE} FOR UPDATE SKIP LOCKED),
touched AS (
  UPDATE nestjs_emails.attachment_contents c SET touched_at = now() FROM stale
  WHERE c.hash = stale.hash AND c.slice = stale.slice RETURNING 1
)`;

/**
 * Finds a content and protects it: from housekeeping by its time, and from erasures, which skip locked contents, until
 * the transaction ends. Its rows that refer to the content cannot be seen before.
 */
const TOUCH = `
WITH ${TOUCHED},
kept AS (SELECT 1 FROM nestjs_emails.attachment_contents WHERE ${KEPT} FOR KEY SHARE)
SELECT 1 FROM touched UNION ALL SELECT 1 FROM kept`;

/**
 * The same without waiting. `absent`: this transaction puts the content. Neither: another transaction is writing it. A
 * writer without the lock (lock limit reached) is awaited briefly.
 */
const TRY = `
WITH bounds AS MATERIALIZED (SELECT set_config('lock_timeout', '800ms', true)), ${TOUCHED}
SELECT EXISTS (SELECT FROM touched) OR EXISTS (SELECT FROM nestjs_emails.attachment_contents WHERE ${KEPT}) AS kept,
  NOT EXISTS (SELECT FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = 0)
    AND pg_try_advisory_xact_lock(${LOCK}) AS absent
FROM bounds`;

/** A boolean: not every driver reads a `void`. */
const HOLD = `SELECT nestjs_emails.hold_lock(${LOCK}) IS NULL AS held`;
const PUT_SLICE = `
INSERT INTO nestjs_emails.attachment_contents (hash, slice, content) VALUES ($1, $2, $3)
ON CONFLICT (hash, slice) DO UPDATE SET touched_at = now()`;
const GET_SLICE = 'SELECT content FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = $2';

const GET_PART = `
SELECT substring(content FROM $3::integer + 1 FOR $4::integer) AS content
FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = $2`;

/**
 * Stores contents in PostgreSQL, in slices of 1 MB, so that neither side holds more than one whole copy.
 *
 * @example
 * ```ts
 * const content = await new PostgresAttachmentStorage(dataSource).get('a hash of an account and its content');
 * content.pipe(process.stdout);
 * ```
 */
export class PostgresAttachmentStorage implements SeekingAttachmentStorage {
  /** Running attempts to put a content, by hash: simultaneous callers share one. */
  private readonly trying = new Map<string, Promise<boolean>>();
  private readonly partConnections = new Semaphore(PART_CONNECTIONS);

  constructor(private readonly dataSource: DataSource) {}

  /** Holds no connection while it waits for another transaction, except the host's. */
  async put(hash: string, content: Buffer, transaction?: SqlTransaction): Promise<void> {
    if (transaction) return atSavepoint(transaction, () => this.putWithin(transaction, hash, content));
    const deadline = performance.now() + PATIENCE;
    for (let wait = FIRST_PAUSE; performance.now() < deadline; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      if (await this.tryTogether(hash, content)) return;
      await pause(wait);
    }
    throw ApiError.held('content');
  }

  private async putWithin(transaction: SqlTransaction, hash: string, content: Buffer): Promise<void> {
    const { rows } = await transaction.query(TOUCH, [hash]);
    if (rows.length > 0) return;
    await transaction.query(HOLD, [hash]);
    await this.putSlices(transaction, hash, content);
  }

  private tryTogether(hash: string, content: Buffer): Promise<boolean> {
    const trying = this.trying.get(hash) ?? this.tryPut(hash, content).finally(() => this.trying.delete(hash));
    this.trying.set(hash, trying);
    return trying;
  }

  /** False when another transaction is writing it. */
  private async tryPut(hash: string, content: Buffer): Promise<boolean> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        const rows: { kept: boolean; absent: boolean }[] = await manager.query(TRY, [hash]);
        if (rows[0]?.absent) await this.putSlices(sqlOf(manager), hash, content);
        return rows[0]?.kept === true || rows[0]?.absent === true;
      });
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  private async putSlices(transaction: SqlTransaction, hash: string, content: Buffer): Promise<void> {
    for (let slice = 0; slice === 0 || slice * SLICE < content.length; slice++) {
      await transaction.query(PUT_SLICE, [hash, slice, content.subarray(slice * SLICE, (slice + 1) * SLICE)]);
    }
  }

  async get(hash: string): Promise<Readable> {
    const first = await this.slice(hash, 0);
    if (!first) throw new Error('There is no attachment content under this hash.');
    return Readable.from(this.slices(hash, first), { objectMode: false });
  }

  private async *slices(hash: string, first: Buffer): AsyncGenerator<Buffer> {
    let content: Buffer | undefined = first;
    for (let slice = 1; content; slice++) {
      for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE);
      if (content.length < SLICE) return;
      content = await this.slice(hash, slice);
    }
  }

  /** Holds a connection for one part at a time, and none while its reader is slow. */
  async getFrom(hash: string, start: number): Promise<Readable> {
    const first = await this.part(hash, start);
    if (!first) throw new Error('There is no attachment content under this hash.');
    return Readable.from(this.parts(hash, start, first), { objectMode: false });
  }

  private async *parts(hash: string, start: number, first: Buffer): AsyncGenerator<Buffer> {
    let content: Buffer | undefined = first;
    for (let at = start; content && content.length > 0; content = await this.part(hash, at)) {
      for (let from = 0; from < content.length; from += PIECE) yield content.subarray(from, from + PIECE);
      at += content.length;
    }
  }

  /** Reads from a byte up to the next part, or to the end of the slice. */
  private part(hash: string, at: number): Promise<Buffer | undefined> {
    const place = [Math.floor(at / SLICE), at % SLICE, PART - (at % PART)];
    return this.partConnections.run(async () => {
      const rows: { content: Buffer }[] = await this.dataSource.query(GET_PART, [hash, ...place]);
      return rows[0]?.content;
    });
  }

  private async slice(hash: string, slice: number): Promise<Buffer | undefined> {
    const rows: { content: Buffer }[] = await this.dataSource.query(GET_SLICE, [hash, slice]);
    return rows[0]?.content;
  }
}
