interface EmailMetricRow {
  meaning: string;
  /** Kinds of events that are counted for it; empty if this server does not observe them. */
  kinds?: readonly string[];
  /** Numerator and denominator of a percentage. */
  ratio?: readonly [string, string];
}

const counted = (meaning: string, ...kinds: readonly string[]) => ({ meaning: meaning, kinds });
const rate = (part: string, whole: string) => ({
  meaning: `\`${part}\` of \`${whole}\`, in percent`,
  ratio: [part, whole] as const,
});

/** The metrics, by the names of Resend's metrics and in the order of the contract, section 3.5. */
export const EMAIL_METRICS = {
  received: counted('emails received. Always 0: nothing is received'),
  delivered: counted("accepted by the recipient's own server", 'delivered'),
  complained: counted('called spam by the recipient', 'complained'),
  suppressed: counted('refused by the suppression list', 'suppressed'),
  bounced: counted('refused by the server', 'bounced_transient', 'bounced_permanent', 'bounced_undetermined'),
  bounced_transient: counted('of these, what may fare better at another time', 'bounced_transient'),
  bounced_permanent: counted('of these, addresses that are no good', 'bounced_permanent'),
  bounced_undetermined: counted('of these, all others', 'bounced_undetermined'),
  opened: counted('opened. Always 0: nobody is watched', 'opened'),
  clicked: counted('clicked. Always 0: nobody is watched', 'clicked'),
  unsubscribed: counted('unsubscribed', 'unsubscribed'),
  delivery_delayed: counted('put off', 'delivery_delayed'),
  failed: counted('given up', 'failed'),
  sent: counted('accepted by the next hop', 'sent'),
  unique_opened: counted('recipients who opened. Always 0'),
  unique_clicked: counted('recipients who clicked. Always 0'),
  delivery_rate: rate('delivered', 'sent'),
  open_rate: rate('unique_opened', 'delivered'),
  click_rate: rate('unique_clicked', 'delivered'),
  bounce_rate: rate('bounced', 'sent'),
  complaint_rate: rate('complained', 'delivered'),
  unsubscribe_rate: rate('unsubscribed', 'delivered'),
} satisfies Readonly<Record<string, EmailMetricRow>>;

/** The name of a metric, as in Resend's API. */
export type EmailMetric = keyof typeof EMAIL_METRICS;

/** Lengths of a period of metrics. */
export const METRICS_GRANULARITIES = ['hourly', 'daily', 'weekly', 'monthly'] as const;

/** How long periods are. */
export type MetricsGranularity = (typeof METRICS_GRANULARITIES)[number];

/** Values by which metrics are broken down. */
export const METRICS_DIMENSIONS = ['period', 'domain', 'email', 'broadcast'] as const;

/** Dimensions of metrics. */
export type MetricsDimension = (typeof METRICS_DIMENSIONS)[number];

export const METRICS = Object.keys(EMAIL_METRICS) as EmailMetric[];

/** Metrics by their names. */
export type MetricValues = Partial<Record<EmailMetric, number>>;

/** Counts events by kind, and derives the metrics from them. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(counts: Readonly<Record<string, number>>): void {
    for (const [kind, count] of Object.entries(counts)) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  values(metrics: readonly EmailMetric[]): MetricValues {
    return Object.fromEntries(metrics.map((metric) => [metric, this.valueOf(metric)]));
  }

  private valueOf(metric: string): number {
    const { kinds = [], ratio }: EmailMetricRow = EMAIL_METRICS[metric as EmailMetric];
    if (ratio) return percent(this.valueOf(ratio[0]), this.valueOf(ratio[1]));
    return kinds.reduce((sum, kind) => sum + (this.counts.get(kind) ?? 0), 0);
  }
}

/** A percentage with one decimal, below 1 with two, since complaints matter from 0.1 on; 0 without any events. */
function percent(part: number, whole: number): number {
  if (whole === 0) return 0;
  const exact = (100 * part) / whole;
  return Number(exact.toFixed(exact < 1 ? 2 : 1));
}
