import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { onMaster } from '../../shared/rows/on-master.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { LookupCache } from '../auth/lookup-cache.js';

/**
 * How long another process may still accept an ended session. The contract promises one second; this is half of it.
 * Milliseconds.
 */
const TTL = 500;
const CAPACITY = 10_000;

/**
 * $1: session, $2: when it would expire. Deletes sessions that have expired by every clock: the clocks of two machines
 * may differ.
 */
const END = `
WITH over AS (DELETE FROM ${SCHEMA}.ended_sessions WHERE ends_at < now() - interval '1 day')
INSERT INTO ${SCHEMA}.ended_sessions (id, ends_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`;

/** $1: session. */
const IS_ENDED = `SELECT FROM ${SCHEMA}.ended_sessions WHERE id = $1`;

/** Page sessions that were ended before they expired, for all processes. Active sessions are not stored. */
@Injectable()
export class EndedSessionsService {
  private readonly ended = new LookupCache<true>({ ttl: TTL, capacity: CAPACITY });

  constructor(private readonly dataSource: DataSource) {}

  /** In this process at once, in every other within a second. */
  async end(sessionId: string, endsAt: Date): Promise<void> {
    await this.dataSource.query(END, [sessionId, endsAt]);
    this.ended.clear();
  }

  async has(sessionId: string): Promise<boolean> {
    const found = await this.ended.find(sessionId, async () => {
      const rows = await onMaster(this.dataSource, (manager) => manager.query<unknown[]>(IS_ENDED, [sessionId]));
      return rows.length > 0 ? true : null;
    });
    return found === true;
  }
}
