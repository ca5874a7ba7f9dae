import { termHash, terms } from '../../email-terms.js';

/** Limit of an address's emails that are looked at, the newest first. */
const LOOKED_AT = 1_000;

/** When an account's email was last delivered to an address, given by its `addressKey`. For features that count failures in a row. */
export const DELIVERED = `
  CREATE OR REPLACE FUNCTION nestjs_emails.last_delivered(account text, address text) RETURNS timestamptz
    LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (
      SELECT max(v.occurred_at)
      FROM (
        SELECT seq FROM nestjs_emails.email_terms WHERE term = ${termHash(`'${terms.recipient('')}' || address`, 'account')}
        ORDER BY seq DESC LIMIT ${LOOKED_AT}
      ) AS t
      JOIN nestjs_emails.emails e ON e.account_id = account AND e.seq = t.seq
      JOIN nestjs_emails.events v ON v.email_id = e.id AND v.type = 'delivered' AND lower(v.recipient) = address);
  END $$;
`;
