/**
 * Recipients whose emails the next hop of an account's emails accepted, in each slot of `event_totals` from a time on,
 * folded or not. For features that compare their own counts with them.
 */
export const SENT_SINCE = `
  CREATE OR REPLACE FUNCTION nestjs_emails.sent_since(account text, since timestamptz)
    RETURNS TABLE (slot timestamptz, recipients bigint) LANGUAGE sql STABLE AS $$
    SELECT counted.slot, sum(counted.count)::bigint FROM (
      SELECT t.slot, t.count FROM nestjs_emails.event_totals t
      WHERE t.account_id = account AND t.slot >= since AND t.kind = 'sent'
      UNION ALL
      SELECT c.slot, c.count FROM nestjs_emails.event_counts c
      WHERE c.account_id = account AND c.slot >= since AND c.kind = 'sent'
    ) AS counted GROUP BY counted.slot
  $$;
`;
