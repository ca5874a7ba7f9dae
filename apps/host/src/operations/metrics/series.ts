import { RECIPIENT_EVENTS } from 'nestjs-emails';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { DESTINATION_CLASSES } from './destination-class.js';

interface SeriesRow {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Labels and their values; empty if these are known only when they occur. */
  labels?: Readonly<Record<string, readonly string[]>>;
  /** In seconds: a request takes milliseconds, a delivery may take the days of its retries. */
  buckets?: readonly number[];
}

/** Every series of ours at `/metrics`: the table of docs/operating.md. Labels never contain addresses or domains. */
export const SERIES = {
  emails_accepted_total: { kind: 'counter', help: 'Emails accepted.' },
  emails_acceptance_seconds: {
    kind: 'histogram',
    help: 'From a valid request to its commit; the count is that of accepted emails.',
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  emails_recipient_events_total: {
    kind: 'counter',
    help: 'Events of recipients, once each; an opt-out from a topic is `failed`.',
    labels: { type: RECIPIENT_EVENTS },
  },
  emails_attempts_total: {
    kind: 'counter',
    help: 'Attempts by recipient, by outcome and receiver.',
    labels: { outcome: ['accepted', 'deferred', 'rejected', 'unknown'], destination: DESTINATION_CLASSES },
  },
  emails_transport_attempts_total: {
    kind: 'counter',
    help: 'The same by outcome and transport.',
    labels: { outcome: [], transport: [] },
  },
  emails_transport_down: {
    kind: 'gauge',
    help: '1 while this process cannot connect to the next hop of a transport; else 0, or absent while it never was.',
    labels: { transport: [] },
  },
  emails_attempt_seconds: {
    kind: 'histogram',
    help: 'Duration of one attempt on the wire.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
  emails_delivery_seconds: {
    kind: 'histogram',
    help: 'From acceptance, or from the scheduled time, until the next hop accepted it; once for each recipient.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400, 432_000],
  },
  emails_delivery_failures_total: {
    kind: 'counter',
    help: 'Deliveries that failed for a recipient, by cause: a reply, the network, a policy, an unbuildable message, no transport.',
    labels: { kind: ['reply', 'network', 'policy', 'message', 'transport', 'error'] },
  },
  emails_next_hop_down: {
    kind: 'gauge',
    help: 'Next hops to which this process cannot connect.',
  },
  emails_next_hop_down_since_timestamp_seconds: {
    kind: 'gauge',
    help: 'When this process lost the first of them, in seconds since 1970; 0 while none is down.',
  },
  emails_next_hop_accepted_timestamp_seconds: {
    kind: 'gauge',
    help: 'When a next hop last accepted a message of this process, in seconds since 1970; 0 before the first.',
  },
  emails_waiting: {
    kind: 'gauge',
    help: 'Emails that wait for a next hop that is down; counted up to 100,000. Alert on it.',
  },
  emails_oldest_waiting_age_seconds: {
    kind: 'gauge',
    help: 'Wait of the oldest of them; 0 without any.',
  },
  emails_due: {
    kind: 'gauge',
    help: 'Due emails without a worker, including those that wait for a next hop.',
  },
  emails_oldest_due_age_seconds: {
    kind: 'gauge',
    help: 'Time since the oldest of them became due; 0 without any. Alert on it.',
  },
  emails_queue_jobs: {
    kind: 'gauge',
    help: 'Jobs in the queue by state, each a wake-up for up to 25 emails; one ends when its emails have started.',
    labels: { state: [] },
  },
  emails_outbox_events: {
    kind: 'gauge',
    help: 'Events that wait for a subscriber.',
    labels: { subscriber: [] },
  },
  emails_outbox_oldest_age_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest of them; 0 without any.',
    labels: { subscriber: [] },
  },
  webhook_attempts_total: {
    kind: 'counter',
    help: 'Requests to webhooks, by result.',
    labels: { outcome: ['success', 'failure'] },
  },
  webhook_attempt_seconds: {
    kind: 'histogram',
    help: 'Duration of one request to a webhook, up to 15.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  },
  webhooks_disabled_total: {
    kind: 'counter',
    help: 'Disabled webhooks: gone (410), or failing for five days. A log line names each.',
    labels: { reason: ['gone', 'failing'] },
  },
  webhook_events_waiting: {
    kind: 'gauge',
    help: 'Pending webhook events, for the first attempt or another one; counted up to 100,000.',
  },
  webhook_events_oldest_age_seconds: {
    kind: 'gauge',
    help: 'Wait of the oldest of them; 0 without any.',
  },
  domains_not_started: { kind: 'gauge', help: 'Domains with the status not_started.' },
  domains_pending: { kind: 'gauge', help: 'Domains with the status pending.' },
  domains_verified: { kind: 'gauge', help: 'Domains with the status verified.' },
  domains_failed: { kind: 'gauge', help: 'Domains with the status failed.' },
  domains_missing_records: { kind: 'gauge', help: 'Domains that were verified and lack a DNS record now.' },
  domain_keys_unreadable: { kind: 'gauge', help: 'DKIM keys that cannot be opened with the secrets of this process.' },
  domains_not_signing: {
    kind: 'gauge',
    help: 'Domains whose emails wait: a key cannot sign.',
  },
} as const satisfies Readonly<Record<string, SeriesRow>>;

type Named<Kind> = {
  [Name in keyof typeof SERIES]: (typeof SERIES)[Name]['kind'] extends Kind ? Name : never;
}[keyof typeof SERIES];

/**
 * A counter of the table. It starts at zero for all known values of its labels, so that an alert can detect the first
 * increase.
 */
export function counter(registry: Registry, name: Named<'counter'>): Counter {
  const made = new Counter(configuration(registry, name));
  for (const labels of combinations(SERIES[name])) made.inc(labels, 0);
  return made;
}

export const gauge = (registry: Registry, name: Named<'gauge'>): Gauge => new Gauge(configuration(registry, name));

export const histogram = (registry: Registry, name: Named<'histogram'>): Histogram =>
  new Histogram({ ...configuration(registry, name), buckets: [...SERIES[name].buckets] });

function configuration(registry: Registry, name: keyof typeof SERIES) {
  const { help, labels = {} }: SeriesRow = SERIES[name];
  return { name, help, labelNames: Object.keys(labels), registers: [registry] };
}

function combinations({ labels = {} }: SeriesRow): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (made, [label, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
