import type { DataSource } from 'typeorm';
import type { Consumption } from './rate-limiter.js';

/**
 * $1: key, $2: milliseconds of a window. One clock counts for all processes, that of PostgreSQL. A window that ends
 * later than one can that begins now is from another clock, and is over.
 */
const COUNT = `
WITH clock AS MATERIALIZED (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, $2::bigint AS length)
INSERT INTO rate_limits AS counted (key, points, expire) SELECT $1, 1, now + length FROM clock
ON CONFLICT (key) DO UPDATE SET
  points = CASE WHEN counted.expire > (SELECT now FROM clock) AND counted.expire <= excluded.expire
    THEN counted.points + 1 ELSE 1 END,
  expire = CASE WHEN counted.expire > (SELECT now FROM clock) AND counted.expire <= excluded.expire
    THEN counted.expire ELSE excluded.expire END
RETURNING points, (expire - (SELECT now FROM clock))::integer AS left`;

/** Counts requests in a table, which a migration made. */
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
