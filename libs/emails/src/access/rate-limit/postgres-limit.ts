import type { DataSource } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';
import type { Consumption } from './consumption.js';

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * $1: key, $2: milliseconds of a window. PostgreSQL's clock counts for all processes. It is read once the row is
 * locked. A window that ends later than a window that begins now comes from another clock, and counts as over.
 */
const COUNT = `
INSERT INTO ${SCHEMA}.rate_limits AS counted (key, points, expire) VALUES ($1, 1, ${NOW} + $2::bigint)
ON CONFLICT (key) DO UPDATE SET (points, expire) = (
  SELECT CASE WHEN is_open THEN counted.points + 1 ELSE 1 END, CASE WHEN is_open THEN counted.expire ELSE now + $2 END
  FROM (SELECT ${NOW} AS now) AS clock, LATERAL (SELECT counted.expire > now AND counted.expire <= now + $2 AS is_open))
RETURNING points, greatest(expire - ${NOW}, 0)::integer AS left`;

/**
 * Counts requests in a table, which a migration creates.
 *
 * @param key up to 255 characters, the limit of the column and of account ids
 */
export async function countInPostgres(
  dataSource: DataSource,
  key: string,
  limit: number,
  window: number,
): Promise<Consumption> {
  const [row] = await dataSource.query<{ points: number; left: number }[]>(COUNT, [key, window]);
  const { points = 1, left = window } = row ?? {};
  return { allowed: points <= limit, remaining: Math.max(0, limit - points), msBeforeNext: left };
}
