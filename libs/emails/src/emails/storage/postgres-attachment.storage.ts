import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { ApiError } from '../../shared/errors/api-error.js';
import { isLockTimeout } from '../../shared/errors/database-errors.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { SeekingAttachmentStorage } from '../ports/attachment-storage.js';

const SLICE = 1_000_000;
/** Bytes that are handed on at once. Each stage of whoever reads holds as much of them as its turn takes. */
const PIECE = 48_000;
/** Bytes that are in memory of a content that is read in part: many may be read at the same time, and slowly. */
const PART = 250_000;
/** Connections that parts are read with, however many want some: what else there is to do needs the others. */
const PART_CONNECTIONS = 4;

/** Milliseconds that a content waits for a transaction that has put or touched it and is not committed. */
const PATIENCE = 15_000;
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/** The advisory lock of a content: who puts it holds it until his end. */
const LOCK = `hashtextextended($1, ${0x656d_6c63})`;

/** Touched at most once an hour, and by one of those who would touch it at the same time. */
const STALE = "hash = $1 AND slice = 0 AND touched_at < now() - interval '1 hour'";
/** Safe from the housekeeping, which takes what was not touched for a day, for long enough to refer to it. */
const KEPT = "hash = $1 AND slice = 0 AND touched_at >= now() - interval '23 hours'";
const TOUCHED = `
stale AS (SELECT hash, slice FROM nestjs_emails.attachment_contents WHERE ${STALE} FOR UPDATE SKIP LOCKED),
touched AS (
  UPDATE nestjs_emails.attachment_contents c SET touched_at = now() FROM stale
  WHERE c.hash = stale.hash AND c.slice = stale.slice RETURNING 1
)`;

/** Finds a content and keeps the housekeeping from taking it. */
const TOUCH = `
WITH ${TOUCHED}
SELECT 1 FROM touched UNION ALL SELECT 1 FROM nestjs_emails.attachment_contents WHERE ${KEPT}`;

/**
 * The same without waiting for anybody. `absent`: it is this transaction's to put. Neither: it is in other hands. Who puts
 * it without the lock, because he holds too many, is waited for a short time.
 */
const TRY = `
WITH bounds AS MATERIALIZED (SELECT set_config('lock_timeout', '800ms', true)), ${TOUCHED}
SELECT EXISTS (SELECT FROM touched) OR EXISTS (SELECT FROM nestjs_emails.attachment_contents WHERE ${KEPT}) AS kept,
  NOT EXISTS (SELECT FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = 0)
    AND pg_try_advisory_xact_lock(${LOCK}) AS absent
FROM bounds`;

const HOLD = `SELECT nestjs_emails.hold_lock(${LOCK})`;
const PUT_SLICE = `
INSERT INTO nestjs_emails.attachment_contents (hash, slice, content) VALUES ($1, $2, $3)
ON CONFLICT (hash, slice) DO UPDATE SET touched_at = now()`;
const GET_SLICE = 'SELECT content FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = $2';

const GET_PART = `
SELECT substring(content FROM $3::integer + 1 FOR $4::integer) AS content
FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = $2`;

/** Keeps contents in PostgreSQL, in slices of 1 MB so that neither side ever holds a whole one more than once. */
export class PostgresAttachmentStorage implements SeekingAttachmentStorage {
  /** By hash, what tries to put a content: one for all who want to. */
  private readonly trying = new Map<string, Promise<boolean>>();
  private readonly partConnections = new Semaphore(PART_CONNECTIONS);

  constructor(private readonly dataSource: DataSource) {}

  /** Keeps no connection while it waits for somebody else, but for the host's transaction. */
  async put(hash: string, content: Buffer, transaction?: EntityManager): Promise<void> {
    if (transaction) return transaction.transaction((manager) => this.putWithin(manager, hash, content));
    const deadline = performance.now() + PATIENCE;
    for (let wait = FIRST_PAUSE; performance.now() < deadline; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      if (await this.tryTogether(hash, content)) return;
      await pause(wait);
    }
    throw ApiError.held('content');
  }

  private async putWithin(manager: EntityManager, hash: string, content: Buffer): Promise<void> {
    const found: unknown[] = await manager.query(TOUCH, [hash]);
    if (found.length > 0) return;
    await manager.query(HOLD, [hash]);
    await this.putSlices(manager, hash, content);
  }

  private tryTogether(hash: string, content: Buffer): Promise<boolean> {
    const trying = this.trying.get(hash) ?? this.tryPut(hash, content).finally(() => this.trying.delete(hash));
    this.trying.set(hash, trying);
    return trying;
  }

  /** False when it is in other hands. */
  private async tryPut(hash: string, content: Buffer): Promise<boolean> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        const rows: { kept: boolean; absent: boolean }[] = await manager.query(TRY, [hash]);
        if (rows[0]?.absent) await this.putSlices(manager, hash, content);
        return rows[0]?.kept === true || rows[0]?.absent === true;
      });
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  private async putSlices(manager: EntityManager, hash: string, content: Buffer): Promise<void> {
    for (let slice = 0; slice === 0 || slice * SLICE < content.length; slice++) {
      await manager.query(PUT_SLICE, [hash, slice, content.subarray(slice * SLICE, (slice + 1) * SLICE)]);
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

  /** Holds a connection for a part at a time, and none while its reader is slow. */
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

  /** From a byte to where the next part begins, which is where the slice ends at most. */
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
