import type { Copy } from '../sink/mail-sink.js';
import { type Mail, SUBJECT } from '../world/draft.js';
import type { ClientEntry } from '../world/ledger-client.js';
import type { Hop, World } from '../world/world.js';

export interface StoredEmail {
  id: string;
  tag: string;
  message_id: string;
  last_event: string;
  due: boolean;
  /** Attempts, as the delivery row counts them. */
  counted: number;
  scheduled_at: Date | null;
  recipients: { address: string; status: string }[];
  attempts: StoredAttempt[];
  events: StoredEvent[];
}

export interface StoredAttempt {
  fence: number;
  /** 0, or the place of the message's only recipient, from 1. */
  message: number;
  unknown: boolean;
  finished: boolean;
  /** The transport that it was given to. */
  transport: string | null;
  outcomes: { address: string; outcome: string }[] | null;
}

export interface StoredEvent {
  type: string;
  recipient: string | null;
  reason: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Events of one kind within a quarter of an hour whose count differs from the recorded events. */
export interface Miscount {
  kind: string;
  recorded: number;
  counted: number;
}

/** Knowledge after a scenario: the client's requests and answers, the sink's messages, the rows of the tables. */
export interface Evidence {
  hop: Hop;
  wanted: Map<string, Mail>;
  /** Ids of all 200 answers, per tag. */
  acknowledged: Map<string, Set<string>>;
  statuses: Set<number>;
  /** Answers to cancel requests, per tag. */
  cancels: Map<string, Set<number | undefined>>;
  /** Per recipient, in order of arrival. */
  copies: ReadonlyMap<string, readonly Copy[]>;
  stored: StoredEmail[];
  miscounts: Miscount[];
}

const STORED = `
SELECT e.id, e.message_id, coalesce(k.key, replace(e.subject, '${SUBJECT}', '')) AS tag, d.last_event, d.due_at IS NOT NULL AS due, d.attempts AS counted, e.scheduled_at, d.recipients,
  (SELECT coalesce(json_agg(json_build_object('fence', a.fence, 'message', a.message, 'unknown', a.unknown, 'finished', a.finished_at IS NOT NULL,
     'transport', a.transport,
     'outcomes', a.outcomes) ORDER BY a.fence, a.message), '[]') FROM nestjs_emails.attempts a WHERE a.email_id = e.id) AS attempts,
  (SELECT coalesce(json_agg(json_build_object('type', v.type, 'recipient', v.recipient, 'reason', v.reason,
     'at', extract(epoch FROM v.occurred_at) * 1000) ORDER BY v.id), '[]')
   FROM nestjs_emails.events v WHERE v.email_id = e.id) AS events
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
LEFT JOIN nestjs_emails.idempotency_keys k ON k.email_id = e.id`;

const MISCOUNTS = `
WITH recorded AS (
  SELECT account_id, date_bin('15 minutes', occurred_at, '2000-01-01 00:00:00+00') AS slot,
    CASE type WHEN 'bounced' THEN 'bounced_' || lower(coalesce(bounce->>'type', 'undetermined')) ELSE type END AS kind,
    count(*)::integer AS recorded
  FROM nestjs_emails.events v JOIN nestjs_emails.emails e ON e.id = v.email_id WHERE recipient IS NOT NULL GROUP BY 1, 2, 3
),
counted AS (
  SELECT account_id, slot, kind, sum(count)::integer AS counted FROM (
    SELECT account_id, slot, kind, count FROM nestjs_emails.event_counts
    UNION ALL SELECT account_id, slot, kind, count FROM nestjs_emails.event_totals
  ) AS counts GROUP BY 1, 2, 3
)
SELECT kind, coalesce(recorded, 0) AS recorded, coalesce(counted, 0) AS counted
FROM recorded FULL JOIN counted USING (account_id, slot, kind) WHERE recorded IS DISTINCT FROM counted`;

export async function collectEvidence(world: World): Promise<Evidence> {
  const { rows } = await world.pool.query<StoredEmail>(STORED);
  const { rows: miscounts } = await world.pool.query<Miscount>(MISCOUNTS);
  const entries: ClientEntry[] = world.asked.read();
  const wanted = new Map<string, Mail>();
  const acknowledged = new Map<string, Set<string>>();
  const statuses = new Set<number>();
  const cancels = new Map<string, Set<number | undefined>>();
  for (const entry of entries) {
    if (entry.kind === 'intent') wanted.set(entry.mail.tag, entry.mail);
    if (entry.kind === 'changed') {
      if (entry.status !== undefined && entry.status !== 422) statuses.add(entry.status);
      if (entry.change === 'cancel') cancels.set(entry.tag, new Set(cancels.get(entry.tag)).add(entry.status));
    }
    if (entry.kind !== 'answer') continue;
    statuses.add(entry.status);
    if (entry.status !== 200) continue;
    const ids = acknowledged.get(entry.tag) ?? new Set();
    acknowledged.set(entry.tag, ids.add(entry.id ?? 'no id at all'));
  }
  const copies = byRecipient(world.copies.read());
  return { hop: world.options.hop, wanted, acknowledged, statuses, cancels, copies, stored: rows, miscounts };
}

function byRecipient(copies: readonly Copy[]): Map<string, Copy[]> {
  const found = new Map<string, Copy[]>();
  for (const copy of copies) {
    for (const address of copy.recipients) {
      const others = found.get(address);
      if (others) others.push(copy);
      else found.set(address, [copy]);
    }
  }
  return found;
}
