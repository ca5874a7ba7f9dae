import type { Counts, Metrics } from '../series';

/**
 * Rates that mail providers look at, and their limits in percent. Gmail asks for complaints below 0.1 %, and for never reaching
 * 0.3 % (support.google.com/mail/answer/81126); relays advise to stay below 2 % of bounces.
 */
export const RATES = {
  bounces: { limits: [2] },
  complaints: { limits: [0.1, 0.3] },
} as const satisfies Readonly<Record<string, { limits: readonly number[] }>>;

export type RateName = keyof typeof RATES;

/** Recipients from which a rate says something. */
export const ENOUGH = 500;

/** A rate of the range, and of each of its periods. */
export interface RateOfRange {
  name: RateName;
  /** Percent; undefined without recipients. */
  total: number | undefined;
  isEnough: boolean;
  periods: { period: string; rate: number | undefined }[];
}

/** The rates of a range, in more detail than the API's, which have one decimal. */
export function ratesOf({ totals, data }: Pick<Metrics, 'totals' | 'data'>): RateOfRange[] {
  return (Object.keys(RATES) as RateName[]).map((name) => ({
    name,
    total: rateOf(name, totals),
    isEnough: wholeOf(name, totals) >= ENOUGH,
    periods: data.map((row) => ({ period: row.period, rate: rateOf(name, row) })),
  }));
}

/** The highest limit that a rate reaches; undefined below all. */
export function reachedLimit(name: RateName, rate: number): number | undefined {
  return RATES[name].limits.filter((limit) => rate >= limit).at(-1);
}

function rateOf(name: RateName, counts: Counts): number | undefined {
  const whole = wholeOf(name, counts);
  if (whole === 0) return undefined;
  return (100 * (name === 'bounces' ? counts.bounced : counts.complained)) / whole;
}

/** A relay may report no deliveries: then complaints are of what it accepted. */
function wholeOf(name: RateName, { sent, delivered, bounced }: Counts): number {
  // A server that refuses at once never counts as sent, a relay that reports later does.
  if (name === 'bounces') return Math.max(sent, delivered + bounced);
  return delivered > 0 ? delivered : sent;
}
