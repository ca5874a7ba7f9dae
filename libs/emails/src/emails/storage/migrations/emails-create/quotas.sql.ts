/** Numbers of recipients, counted for hosts with quotas and for transports with limits. */
export const QUOTAS = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.quota_counts (
    account_id text CONSTRAINT quota_counts_pkey PRIMARY KEY,
    counted_seq bigint NOT NULL,
    day date NOT NULL,
    of_day bigint NOT NULL DEFAULT 0,
    month date NOT NULL,
    of_month bigint NOT NULL DEFAULT 0,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX IF NOT EXISTS quota_counts_changed ON nestjs_emails.quota_counts (changed_at);

  CREATE TABLE IF NOT EXISTS nestjs_emails.transport_permits (
    transport text CONSTRAINT transport_permits_pkey PRIMARY KEY,
    day date NOT NULL,
    used bigint NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL DEFAULT now()
  );
`;
