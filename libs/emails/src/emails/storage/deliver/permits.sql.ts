/*
 * Limits of transports, for all processes together: one row for each transport has the time of its next permit (generic cell
 * rate algorithm) and the permits of a day.
 */

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
const TOMORROW = `((${TODAY} + 1)::timestamp AT TIME ZONE 'UTC')`;

/** $1: transport. */
export const BEGIN = `
INSERT INTO nestjs_emails.transport_permits (transport, day) VALUES ($1, ${TODAY}) ON CONFLICT (transport) DO NOTHING`;

/**
 * $1: transport, $2: wanted permits, $3: permits for each second or null, $4: permits for each day in UTC or null, $5: time for which
 * permits are granted ahead, in milliseconds. No row: the transport has none yet. `wait`: milliseconds until the first permit, or
 * until another try if none was granted.
 */
export const TAKE = `
WITH found AS MATERIALIZED (
  SELECT transport, CASE WHEN day = ${TODAY} THEN used ELSE 0 END AS used, clock_timestamp() AS at,
    greatest(next_at, clock_timestamp()) AS first_at
  FROM nestjs_emails.transport_permits WHERE transport = $1 FOR UPDATE
),
granted AS MATERIALIZED (
  SELECT transport, used, at, first_at, used >= coalesce($4::float8, 'infinity') AS is_used_up, greatest(0, least(
    $2::float8,
    coalesce($4::float8 - used, 'infinity'),
    coalesce(ceil(($5::float8 / 1000 - extract(epoch FROM first_at - at)) * $3::float8), 'infinity')
  )) AS count
  FROM found
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
SELECT transport, used::float8 FROM nestjs_emails.transport_permits WHERE transport = ANY($1::text[]) AND day = ${TODAY}`;
