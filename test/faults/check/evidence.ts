import type { Copy } from '../sink/mail-sink.js';
import { type Mail, SUBJECT } from '../world/draft.js';
import type { ClientEntry } from '../world/ledger-client.js';
import type { World } from '../world/world.js';

export interface StoredEmail {
  id: string;
  tag: string;
  message_id: string;
  last_event: string;
  due: boolean;
  /** Attempts that the delivery counts. */
  counted: number;
  scheduled_at: Date | null;
  recipients: { address: string; status: string }[];
  attempts: StoredAttempt[];
  events: StoredEvent[];
}

export interface StoredAttempt {
  unknown: boolean;
  finished: boolean;
  outcomes: { address: string; outcome: string }[] | null;
}

export interface StoredEvent {
  type: string;
  recipient: string | null;
  reason: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** All that is known after a scenario: what the client wanted and was told, what the sink took, what the tables say. */
export interface Evidence {
  wanted: Map<string, Mail>;
  /** Per tag, each id that a 200 named. */
  acknowledged: Map<string, Set<string>>;
  statuses: Set<number>;
  /** Per recipient, in the order of their coming. */
  copies: ReadonlyMap<string, readonly Copy[]>;
  stored: StoredEmail[];
}

const STORED = `
SELECT e.id, e.message_id, coalesce(k.key, replace(e.subject, '${SUBJECT}', '')) AS tag, d.last_event, d.due_at IS NOT NULL AS due, d.attempts AS counted, e.scheduled_at, d.recipients,
  (SELECT coalesce(json_agg(json_build_object('unknown', a.unknown, 'finished', a.finished_at IS NOT NULL,
     'outcomes', a.outcomes) ORDER BY a.fence), '[]') FROM nestjs_emails.attempts a WHERE a.email_id = e.id) AS attempts,
  (SELECT coalesce(json_agg(json_build_object('type', v.type, 'recipient', v.recipient, 'reason', v.reason,
     'at', extract(epoch FROM v.occurred_at) * 1000) ORDER BY v.id), '[]')
   FROM nestjs_emails.events v WHERE v.email_id = e.id) AS events
FROM nestjs_emails.emails e JOIN nestjs_emails.deliveries d ON d.email_id = e.id
LEFT JOIN nestjs_emails.idempotency_keys k ON k.email_id = e.id`;

export async function collectEvidence(world: World): Promise<Evidence> {
  const { rows } = await world.pool.query<StoredEmail>(STORED);
  const entries: ClientEntry[] = world.asked.read();
  const wanted = new Map<string, Mail>();
  const acknowledged = new Map<string, Set<string>>();
  const statuses = new Set<number>();
  for (const entry of entries) {
    if (entry.kind === 'intent') wanted.set(entry.mail.tag, entry.mail);
    if (entry.kind !== 'answer') continue;
    statuses.add(entry.status);
    if (entry.status !== 200) continue;
    const ids = acknowledged.get(entry.tag) ?? new Set();
    acknowledged.set(entry.tag, ids.add(entry.id ?? 'no id at all'));
  }
  return { wanted, acknowledged, statuses, copies: byRecipient(world.copies.read()), stored: rows };
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
