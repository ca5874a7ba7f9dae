/** Kinds of events that are counted as they are, by the names of Resend's metrics. */
const COUNTED = {
  delivered: ['delivered'],
  complained: ['complained'],
  suppressed: ['suppressed'],
  bounced: ['bounced_transient', 'bounced_permanent', 'bounced_undetermined'],
  bounced_transient: ['bounced_transient'],
  bounced_permanent: ['bounced_permanent'],
  bounced_undetermined: ['bounced_undetermined'],
  opened: ['opened'],
  clicked: ['clicked'],
  unsubscribed: ['unsubscribed'],
  delivery_delayed: ['delivery_delayed'],
  failed: ['failed'],
  sent: ['sent'],
} as const satisfies Record<string, readonly string[]>;

/** What there is nothing of here: nothing is received, and who opened or clicked is not known. */
const NOT_COUNTED = ['received', 'unique_opened', 'unique_clicked'] as const;

type Count = keyof typeof COUNTED | (typeof NOT_COUNTED)[number];

/** Percentages: of what, and by what. */
const RATES = {
  delivery_rate: ['delivered', 'sent'],
  open_rate: ['unique_opened', 'delivered'],
  click_rate: ['unique_clicked', 'delivered'],
  bounce_rate: ['bounced', 'sent'],
  complaint_rate: ['complained', 'delivered'],
  unsubscribe_rate: ['unsubscribed', 'delivered'],
} as const satisfies Record<string, readonly [Count, Count]>;

/** The name of a metric, as Resend has it. */
export type EmailMetric =
  | 'received'
  | 'delivered'
  | 'complained'
  | 'suppressed'
  | 'bounced'
  | 'bounced_transient'
  | 'bounced_permanent'
  | 'bounced_undetermined'
  | 'opened'
  | 'clicked'
  | 'unsubscribed'
  | 'delivery_delayed'
  | 'failed'
  | 'sent'
  | 'unique_opened'
  | 'unique_clicked'
  | 'delivery_rate'
  | 'open_rate'
  | 'click_rate'
  | 'bounce_rate'
  | 'complaint_rate'
  | 'unsubscribe_rate';

/** In the order of the contract. */
export const METRICS: readonly EmailMetric[] = [
  'received',
  'delivered',
  'complained',
  'suppressed',
  'bounced',
  'bounced_transient',
  'bounced_permanent',
  'bounced_undetermined',
  'opened',
  'clicked',
  'unsubscribed',
  'delivery_delayed',
  'failed',
  'sent',
  'unique_opened',
  'unique_clicked',
  'delivery_rate',
  'open_rate',
  'click_rate',
  'bounce_rate',
  'complaint_rate',
  'unsubscribe_rate',
];

/** Metrics by their names. */
export type MetricValues = Partial<Record<EmailMetric, number>>;

/** Counts events by kind, and says what metrics come of them. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(counts: Readonly<Record<string, number>>): void {
    for (const [kind, count] of Object.entries(counts)) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  values(metrics: readonly EmailMetric[]): MetricValues {
    return Object.fromEntries(metrics.map((metric) => [metric, this.valueOf(metric)]));
  }

  private valueOf(metric: EmailMetric): number {
    if (metric in RATES) {
      const [part, whole] = RATES[metric as keyof typeof RATES];
      return percent(this.valueOf(part), this.valueOf(whole));
    }
    const kinds: readonly string[] = COUNTED[metric as keyof typeof COUNTED] ?? [];
    return kinds.reduce((sum, kind) => sum + (this.counts.get(kind) ?? 0), 0);
  }
}

/** With one decimal; 0 of nothing. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;
}
