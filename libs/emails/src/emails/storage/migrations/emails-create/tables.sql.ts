/** Emails and their history. */
const EMAILS = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.emails (
    id uuid CONSTRAINT emails_pkey PRIMARY KEY,
    seq bigserial NOT NULL,
    account_id text NOT NULL,
    message_id text NOT NULL,
    from_mailbox text NOT NULL,
    to_mailboxes text[] NOT NULL,
    cc_mailboxes text[] NOT NULL,
    bcc_mailboxes text[] NOT NULL,
    reply_to_mailboxes text[] NOT NULL,
    subject text NOT NULL,
    html text,
    text text,
    headers jsonb NOT NULL,
    tags jsonb NOT NULL,
    topic_id uuid,
    template_id text,
    scheduled_at timestamptz,
    created_at timestamptz NOT NULL,
    pending_terms bigint[],
    resent_from uuid,
    accepted_empty boolean,
    api_key_id text,
    domain_id text,
    sensitive boolean
  );
  CREATE UNIQUE INDEX IF NOT EXISTS emails_by_account ON nestjs_emails.emails (account_id, seq);
  -- Of those that callers give. Those that are made have the email's id in them, and cost nothing here.
  CREATE UNIQUE INDEX IF NOT EXISTS emails_by_message_id ON nestjs_emails.emails (account_id, message_id)
    WHERE strpos(message_id, id::text) = 0;

  CREATE TABLE IF NOT EXISTS nestjs_emails.email_terms (
    term bigint NOT NULL,
    seq bigint NOT NULL,
    CONSTRAINT email_terms_pkey PRIMARY KEY (term, seq)
  );

  CREATE TABLE IF NOT EXISTS nestjs_emails.deliveries (
    email_id uuid CONSTRAINT deliveries_pkey PRIMARY KEY
      CONSTRAINT deliveries_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
    last_event text NOT NULL,
    due_at timestamptz,
    fence integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    recipients jsonb NOT NULL,
    account bigint,
    seq bigint,
    -- Bits of hashes: a text would make rows look so wide that PostgreSQL, before it has statistics, reads the whole table for what is due.
    waits_for bigint,
    waits_from timestamptz,
    sensitive boolean,
    bulk boolean
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON nestjs_emails.deliveries (due_at) WHERE due_at IS NOT NULL;
  -- Without those that are queued, or every email would be written to it twice.
  CREATE INDEX IF NOT EXISTS deliveries_by_state ON nestjs_emails.deliveries (account, last_event, seq)
    WHERE last_event <> 'queued' AND seq IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_waiting ON nestjs_emails.deliveries (waits_for, seq) WHERE waits_for IS NOT NULL;

  CREATE TABLE IF NOT EXISTS nestjs_emails.pauses (
    scope text NOT NULL,
    subject text NOT NULL,
    transport text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    reason text NOT NULL,
    CONSTRAINT pauses_pkey PRIMARY KEY (scope, subject, transport)
  );

  CREATE TABLE IF NOT EXISTS nestjs_emails.attempts (
    email_id uuid NOT NULL CONSTRAINT attempts_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
    fence integer NOT NULL,
    message smallint NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    unknown boolean NOT NULL DEFAULT false,
    outcomes jsonb,
    transport text,
    CONSTRAINT attempts_pkey PRIMARY KEY (email_id, fence, message)
  );

  CREATE TABLE IF NOT EXISTS nestjs_emails.events (
    id bigserial CONSTRAINT events_pkey PRIMARY KEY,
    email_id uuid NOT NULL CONSTRAINT events_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
    type text NOT NULL,
    recipient text,
    reason text,
    occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempt integer,
    bounce jsonb,
    reason_code text,
    source text,
    transport text
  );
  CREATE INDEX IF NOT EXISTS events_by_email ON nestjs_emails.events (email_id, id);

  CREATE TABLE IF NOT EXISTS nestjs_emails.event_counts (
    id bigserial CONSTRAINT event_counts_pkey PRIMARY KEY,
    account_id text NOT NULL,
    slot timestamptz NOT NULL,
    domain text NOT NULL,
    kind text NOT NULL,
    count bigint NOT NULL
  );

  CREATE TABLE IF NOT EXISTS nestjs_emails.event_totals (
    account_id text NOT NULL,
    slot timestamptz NOT NULL,
    domain text NOT NULL,
    kind text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT event_totals_pkey PRIMARY KEY (account_id, slot, domain, kind)
  );
`;

const KEYS = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.idempotency_keys (
    account_id text NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    email_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, key)
  );
  CREATE INDEX IF NOT EXISTS idempotency_keys_expiry ON nestjs_emails.idempotency_keys (expires_at);

  CREATE TABLE IF NOT EXISTS nestjs_emails.idempotent_answers (
    account_id text NOT NULL,
    endpoint text NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    answer jsonb NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT idempotent_answers_pkey PRIMARY KEY (account_id, endpoint, key)
  );
  CREATE INDEX IF NOT EXISTS idempotent_answers_expiry ON nestjs_emails.idempotent_answers (expires_at);
`;

const ATTACHMENTS = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.attachments (
    email_id uuid NOT NULL CONSTRAINT attachments_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
    position integer NOT NULL,
    filename text,
    content_type text NOT NULL,
    content_id text,
    content_hash text NOT NULL,
    size integer NOT NULL,
    CONSTRAINT attachments_pkey PRIMARY KEY (email_id, position)
  );
  CREATE INDEX IF NOT EXISTS attachments_by_content ON nestjs_emails.attachments (content_hash);

  CREATE TABLE IF NOT EXISTS nestjs_emails.attachment_contents (
    hash text NOT NULL,
    slice integer NOT NULL,
    content bytea NOT NULL,
    touched_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT attachment_contents_pkey PRIMARY KEY (hash, slice)
  );
  ALTER TABLE nestjs_emails.attachment_contents ALTER COLUMN content SET STORAGE EXTERNAL;

  CREATE TABLE IF NOT EXISTS nestjs_emails.erased_contents (
    hash text CONSTRAINT erased_contents_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL DEFAULT now()
  );
`;

const ERASURES = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.erasures (
    id uuid CONSTRAINT erasures_pkey PRIMARY KEY,
    account_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    address text,
    before_seq bigint NOT NULL,
    place bigint,
    left_over boolean NOT NULL DEFAULT false,
    searched boolean NOT NULL DEFAULT false,
    due_at timestamptz DEFAULT now(),
    fence integer NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS erasures_due ON nestjs_emails.erasures (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE IF NOT EXISTS nestjs_emails.erasure_remainders (
    erasure_id uuid NOT NULL
      CONSTRAINT erasure_remainders_erasure_fkey REFERENCES nestjs_emails.erasures ON DELETE CASCADE,
    seq bigint NOT NULL,
    email_id uuid NOT NULL CONSTRAINT erasure_remainders_email_fkey REFERENCES nestjs_emails.emails ON DELETE CASCADE,
    content boolean NOT NULL,
    sender boolean NOT NULL,
    message_id boolean NOT NULL,
    CONSTRAINT erasure_remainders_pkey PRIMARY KEY (erasure_id, seq)
  );
  CREATE INDEX IF NOT EXISTS erasure_remainders_by_email ON nestjs_emails.erasure_remainders (email_id);

  CREATE TABLE IF NOT EXISTS nestjs_emails.erasure_contents (
    erasure_id uuid NOT NULL CONSTRAINT erasure_contents_erasure_fkey REFERENCES nestjs_emails.erasures ON DELETE CASCADE,
    hash text NOT NULL,
    CONSTRAINT erasure_contents_pkey PRIMARY KEY (erasure_id, hash)
  );

  CREATE TABLE IF NOT EXISTS nestjs_emails.email_actions (
    id uuid CONSTRAINT email_actions_pkey PRIMARY KEY,
    account_id text NOT NULL,
    action text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    api_key_id text,
    domain_id text,
    emails uuid[] NOT NULL,
    matched integer NOT NULL,
    place integer NOT NULL DEFAULT 0,
    done integer NOT NULL DEFAULT 0,
    refused jsonb NOT NULL DEFAULT '[]',
    postponed bytea,
    due_at timestamptz DEFAULT now(),
    fence integer NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS email_actions_due ON nestjs_emails.email_actions (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS email_actions_by_age ON nestjs_emails.email_actions (created_at);
`;

/**
 * The outbox has no foreign key: only the hand-over reads it. The index `event_outbox_recent` has no condition: a
 * partial index is also read from end to end when the planner believes that the table is empty.
 */
const OUTBOX = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.event_subscriptions (
    id bigserial CONSTRAINT event_subscriptions_pkey PRIMARY KEY,
    subscriber text NOT NULL,
    key text NOT NULL DEFAULT '',
    account_id text,
    types text[]
  );
  CREATE UNIQUE INDEX IF NOT EXISTS event_subscriptions_by_key ON nestjs_emails.event_subscriptions (subscriber, key);
  CREATE INDEX IF NOT EXISTS event_subscriptions_by_account ON nestjs_emails.event_subscriptions (account_id);

  CREATE TABLE IF NOT EXISTS nestjs_emails.event_outbox (
    id bigserial CONSTRAINT event_outbox_pkey PRIMARY KEY,
    subscription_id bigint,
    subscriber text,
    account_id text NOT NULL,
    event_id bigint NOT NULL,
    email_id uuid,
    type text NOT NULL,
    data jsonb,
    occurred_at timestamptz NOT NULL,
    put_off_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    newest_subscription bigint
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
  CREATE INDEX IF NOT EXISTS event_outbox_ready ON nestjs_emails.event_outbox (subscriber, event_id, id)
    WHERE put_off_until IS NULL;
  CREATE INDEX IF NOT EXISTS event_outbox_turns ON nestjs_emails.event_outbox (subscriber, account_id, event_id, id)
    WHERE put_off_until IS NULL;
  CREATE INDEX IF NOT EXISTS event_outbox_put_off ON nestjs_emails.event_outbox (subscriber, put_off_until, event_id)
    WHERE put_off_until IS NOT NULL;
  CREATE INDEX IF NOT EXISTS event_outbox_behind ON nestjs_emails.event_outbox (email_id, subscriber, event_id)
    WHERE put_off_until IS NOT NULL;
  CREATE INDEX IF NOT EXISTS event_outbox_records ON nestjs_emails.event_outbox (account_id) WHERE data IS NOT NULL;
  CREATE INDEX IF NOT EXISTS event_outbox_recent ON nestjs_emails.event_outbox (xid);
  CREATE INDEX IF NOT EXISTS event_outbox_undecided ON nestjs_emails.event_outbox (account_id, event_id)
    WHERE subscriber IS NULL AND put_off_until IS NULL;
`;

const ACTIONS = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.actions (
    id uuid CONSTRAINT actions_pkey PRIMARY KEY,
    seq bigserial NOT NULL,
    account_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    action text NOT NULL,
    source text NOT NULL,
    key_id text,
    session_id text,
    ids text[] NOT NULL,
    count integer NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS actions_by_account ON nestjs_emails.actions (account_id, seq);
  CREATE INDEX IF NOT EXISTS actions_by_name ON nestjs_emails.actions (account_id, action, seq);
  CREATE INDEX IF NOT EXISTS actions_by_age ON nestjs_emails.actions (created_at);
`;

/** `alarm_looks` has one row: when the sources of alarms are asked next. */
const ALARMS = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.alarms (
    id bigserial CONSTRAINT alarms_pkey PRIMARY KEY,
    code text NOT NULL,
    account_id text NOT NULL DEFAULT '',
    subject text NOT NULL,
    text text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    notified_at timestamptz,
    due_at timestamptz DEFAULT now(),
    fence integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX IF NOT EXISTS alarms_open ON nestjs_emails.alarms (code, account_id, subject) WHERE ended_at IS NULL;
  CREATE INDEX IF NOT EXISTS alarms_due ON nestjs_emails.alarms (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE IF NOT EXISTS nestjs_emails.alarm_looks (
    id integer CONSTRAINT alarm_looks_pkey PRIMARY KEY,
    due_at timestamptz NOT NULL
  );
`;

/** The names of the queues contain it. */
const IDENTITY = `
  CREATE TABLE IF NOT EXISTS nestjs_emails.identity (
    id uuid CONSTRAINT identity_pkey PRIMARY KEY DEFAULT gen_random_uuid()
  );
  CREATE UNIQUE INDEX IF NOT EXISTS identity_is_one ON nestjs_emails.identity ((true));
  INSERT INTO nestjs_emails.identity DEFAULT VALUES ON CONFLICT DO NOTHING;
`;

export const TABLES = EMAILS + KEYS + ATTACHMENTS + ERASURES + OUTBOX + ACTIONS + ALARMS + IDENTITY;
