import { LIMITS } from '../../../shared/limits.js';

/*
 * Limits of transports, for all processes together: one row for each transport has the time of its next permit (generic cell
 * rate algorithm) and the permits of a day.
 */

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
/** Recipients of a message. */
const MOST = 3 * LIMITS.mailboxes.max;
const TOMORROW = `((${TODAY} + 1)::timestamp AT TIME ZONE 'UTC')`;

/** $1: transport. */
export const BEGIN = `
INSERT INTO nestjs_emails.transport_permits (transport, day) VALUES ($1, ${TODAY}) ON CONFLICT (transport) DO NOTHING`;

/**
 * $1: transport, $2: wanted permits, $3: permits for each second or null, $4: permits for each day in UTC or null, $5: time for which
 * permits are granted ahead, in milliseconds, $6: true if they are for one message: then all are granted or none, whatever
 * lies ahead, and a message with more recipients than a day allows has a day of its own. No row: the transport has none yet.
 * `wait`: milliseconds until the first permit, or until another try if none was granted. $7: permits of the day $8 that were not
 * used. A next permit that is further ahead than one message can have moved it is of a clock that was wrong, or of a lower limit; and
 * a day to come is of such a clock: it counts as today.
 */
export const TAKE = `
WITH found AS MATERIALIZED (
  SELECT transport, next_at, clock_timestamp() AS at,
    CASE WHEN day >= ${TODAY} THEN used ELSE 0 END - CASE WHEN $8::date = ${TODAY} AND day >= $8::date THEN least(used, $7::bigint) ELSE 0 END AS used
  FROM nestjs_emails.transport_permits WHERE transport = $1 FOR UPDATE
),
first AS MATERIALIZED (
  SELECT transport, used, at,
    CASE WHEN next_at < at + least($5::float8 / 1000 + ${MOST} / $3::float8 + 1, 1e9) * interval '1 second' THEN greatest(next_at, at) ELSE at END AS first_at
  FROM found
),
free AS MATERIALIZED (
  SELECT *, coalesce($4::float8 - used, 'infinity') AS of_day,
    coalesce(ceil(($5::float8 / 1000 - extract(epoch FROM first_at - at)) * $3::float8), 'infinity') AS in_time
  FROM first
),
granted AS MATERIALIZED (
  SELECT transport, used, at, first_at, of_day < CASE WHEN $6::boolean AND used > 0 THEN $2 ELSE 1 END AS is_used_up,
    CASE
      WHEN $6::boolean THEN CASE WHEN in_time > 0 AND of_day > 0 AND (of_day >= $2 OR used = 0) THEN $2::float8 ELSE 0 END
      ELSE greatest(0, least($2::float8, of_day, in_time))
    END AS count
  FROM free
),
taken AS (
  UPDATE nestjs_emails.transport_permits p
  SET day = ${TODAY}, used = granted.used + granted.count::bigint,
    next_at = granted.first_at + coalesce(granted.count / $3::float8, 0) * interval '1 second'
  FROM granted WHERE p.transport = granted.transport
)
SELECT count AS granted,
  greatest(0, extract(epoch FROM CASE WHEN is_used_up THEN ${TOMORROW} ELSE first_at END - at)::float8 * 1000) AS wait
FROM granted`;

/** $1: transports. */
export const USED = `
SELECT transport, used::float8 FROM nestjs_emails.transport_permits WHERE transport = ANY($1::text[]) AND day >= ${TODAY}`;
