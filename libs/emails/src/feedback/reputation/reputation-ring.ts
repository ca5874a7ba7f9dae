import type { ReputationRates } from './reputation-rates.js';

/** Recipients of a bucket. */
const BUCKET = 100;
/** Recipients that the ring looks back on. */
const SPAN = 10_000;

/** A bucket: the recipients before it by hundreds, and the bounces and complaints that came while it was filled. */
export type ReputationBucket = [place: number, bounces: number, complaints: number];

/**
 * The bounces and complaints of an account by the number of recipients it had when they came. A bucket without any has
 * no entry, so that a ring has 100 entries at most.
 */
export class ReputationRing {
  /** @param recipients of the account so far */
  constructor(
    private readonly recipients: number,
    private readonly buckets: readonly ReputationBucket[] = [],
  ) {}

  /**
   * The ring after more bounces and complaints. Buckets that no window reaches are left out.
   *
   * @param bounces below 0: that number of the latest no longer counts
   */
  with(bounces: number, complaints: number): ReputationRing {
    const place = Math.floor(this.recipients / BUCKET);
    const here = this.buckets.find(([at]) => at === place) ?? [place, 0, 0];
    const added: ReputationBucket = [place, here[1] + bounces, here[2] + complaints];
    const others = this.buckets.filter(([at]) => at !== place && at > this.firstOf(SPAN));
    return new ReputationRing(this.recipients, withoutDebt([...others, added]));
  }

  get entries(): readonly ReputationBucket[] {
    return this.buckets;
  }

  /** @param window number of recipients, at most 10,000 */
  rates(window: number): ReputationRates {
    const recipients = Math.max(0, Math.min(window, this.recipients));
    const inWindow = this.buckets.filter(([place]) => place > this.firstOf(window));
    const sum = (of: 1 | 2) => inWindow.reduce((total, bucket) => total + bucket[of], 0);
    const [bounces, complaints] = [sum(1), sum(2)];
    const rate = (count: number) => (recipients === 0 ? 0 : Math.min(count / recipients, 1));
    return { recipients, bounces, complaints, bounceRate: rate(bounces), complaintRate: rate(complaints) };
  }

  /** The last place that is too old for a window. */
  private firstOf(window: number): number {
    return Math.floor((this.recipients - window) / BUCKET);
  }
}

/** Takes bounces below 0 off the buckets before. */
function withoutDebt(buckets: readonly ReputationBucket[]): ReputationBucket[] {
  let debt = 0;
  const paid = buckets.toReversed().map(([place, bounces, complaints]): ReputationBucket => {
    const left = bounces - debt;
    debt = Math.max(0, -left);
    return [place, Math.max(0, left), complaints];
  });
  return paid.toReversed().filter(([, bounces, complaints]) => bounces + complaints > 0);
}
