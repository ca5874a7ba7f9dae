import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { HousekeepingTask } from '../../index.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { SOFT_SPAN } from './soft-bounces.repository.js';

/** Rows of one step. */
const STEP = 500;

/** Rows that another transaction has locked are left for a later run. */
const EXPIRE = `
  WITH expired AS (
    DELETE FROM ${SCHEMA}.suppressions WHERE id IN (
      SELECT id FROM ${SCHEMA}.suppressions WHERE expires_at <= now() ORDER BY expires_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS count FROM expired`;

/** $1: milliseconds. */
const FORGET = `
  WITH forgotten AS (
    DELETE FROM ${SCHEMA}.soft_bounces WHERE (account_id, email_key, email_id) IN (
      SELECT account_id, email_key, email_id FROM ${SCHEMA}.soft_bounces
      WHERE given_up_at <= now() - $1 * interval '1 millisecond' ORDER BY given_up_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS count FROM forgotten`;

/** Removes suppressions that have expired, with their event, and soft bounces that no longer count. */
@Injectable()
export class SuppressionHousekeeping implements HousekeepingTask {
  readonly interval = 60_000;

  constructor(private readonly dataSource: DataSource) {}

  async step(): Promise<boolean> {
    const [expired]: { count: number }[] = await this.dataSource.query(EXPIRE);
    const [forgotten]: { count: number }[] = await this.dataSource.query(FORGET, [SOFT_SPAN]);
    return expired?.count === STEP || forgotten?.count === STEP;
  }
}
