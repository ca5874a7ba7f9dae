/**
 * Sender domain of an email `e`, as it was written: readers convert it to A-labels. The column may contain anything.
 */
const DOMAIN = `lower(left(rtrim(split_part(e.from_mailbox, '@', -1), E'> \\t'), 255))`;

/** Slot of an event `v`. Offsets of all current time zones from UTC are multiples of 15 minutes. */
const SLOT = `date_bin('15 minutes', v.occurred_at, '2000-01-01 00:00:00+00')`;
const KIND = `CASE v.type WHEN 'bounced' THEN 'bounced_' || lower(coalesce(v.bounce->>'type', 'undetermined')) ELSE v.type END`;

/**
 * Counts events of recipients in the transaction that records them. Writers share no row: `event_counts` only grows,
 * and is folded into `event_totals` in the background. Emails are looked up by id in any plan: plans outlive the
 * statistics that they were made from.
 */
export const COUNTING = `
  CREATE OR REPLACE FUNCTION nestjs_emails.count_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- An accepting statement records nothing of a recipient: it shall not pay for the rest.
    IF NOT EXISTS (SELECT FROM recorded WHERE recipient IS NOT NULL) THEN RETURN NULL; END IF;
    INSERT INTO nestjs_emails.event_counts (account_id, slot, domain, kind, count)
    SELECT e.account_id, ${SLOT}, ${DOMAIN}, ${KIND}, count(*)
    FROM recorded v CROSS JOIN LATERAL (
      SELECT account_id, from_mailbox FROM nestjs_emails.emails WHERE id = v.email_id LIMIT 1) e
    WHERE v.recipient IS NOT NULL GROUP BY 1, 2, 3, 4;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE TRIGGER count_events AFTER INSERT ON nestjs_emails.events
    REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION nestjs_emails.count_events();
`;
