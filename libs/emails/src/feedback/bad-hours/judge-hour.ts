/** Refusals of one operator, and recipients, in a span of time. */
export interface OperatorCounts {
  /** Permanent refusals because of the address. */
  refusals: number;
  /** The part of these that refuses recipients at domains of its own, such as `gmail.com`. */
  ownRefusals: number;
  /** Recipients at domains of its own, refused ones included. */
  own: number;
  /** Recipients at domains that belong to no operator: any operator may run their servers. */
  others: number;
}

/** Refusals in the span from which on they count. */
export const LEAST_REFUSALS = 50;
/** Refusals from which on a bad hour may be at its begin. */
export const SUSPICIOUS_REFUSALS = 10;
/** Recipients of other accounts from which on they tell whose fault it is. */
const LEAST_OTHERS = 50;
/** Times the usual rate that make a bad hour. */
const FACTOR = 5;
/** The usual rate as long as it is unknown. */
const ASSUMED = 0.05;

/**
 * The rate from which on refusals of an operator say more about it than about the addresses.
 *
 * @param recent the span to be judged, whose basis counts for both
 * @param usual its last week; undefined without a week of data
 */
export function limitRate(recent: OperatorCounts, usual: OperatorCounts | undefined): number {
  return FACTOR * (usual ? rateOf(usual, basisOf(recent)) : ASSUMED);
}

/** True if this is a bad hour. */
export function isBad(recent: OperatorCounts, limit: number): boolean {
  return recent.refusals >= LEAST_REFUSALS && reaches(recent, limit);
}

/** True if the rate is that of a bad hour, of however many refusals. */
export function reaches(recent: OperatorCounts, limit: number): boolean {
  return rateOf(recent, basisOf(recent)) >= limit;
}

/**
 * True if one account, or few, alone make the rate: the others have enough recipients there, and are below the limit without.
 *
 * @param worst the part of the accounts with most refusals
 */
export function isOfFewAccounts(recent: OperatorCounts, worst: OperatorCounts, limit: number): boolean {
  const basis = basisOf(recent);
  const rest: OperatorCounts = {
    refusals: recent.refusals - worst.refusals,
    ownRefusals: recent.ownRefusals - worst.ownRefusals,
    own: recent.own - worst.own,
    others: recent.others - worst.others,
  };
  const rate = rateOf(rest, basis);
  return rest[basis] >= LEAST_OTHERS && (rate === 0 || rate < limit);
}

type Basis = 'own' | 'others';

/** Recipients at domains of the operator, if most of its refusals are there; else all at domains of nobody. */
function basisOf({ refusals, ownRefusals }: OperatorCounts): Basis {
  return ownRefusals * 2 >= refusals ? 'own' : 'others';
}

/** A refusal that is reported later may be in another span than its recipient. */
function rateOf(counts: OperatorCounts, basis: Basis): number {
  const refusals = basis === 'own' ? counts.ownRefusals : counts.refusals - counts.ownRefusals;
  return refusals === 0 ? 0 : refusals / Math.max(counts[basis], refusals);
}
