import type { Finding } from './finding.js';

interface Allowance {
  kind: Finding['kind'];
  /** One of the requests or jobs that were in progress. */
  during: RegExp;
  /** Allowed limit in milliseconds or megabytes. */
  upTo: number;
  reason: string;
}

/** Known work beyond the budget that is not a defect. */
const ALLOWED: readonly Allowance[] = [];

/** The reason why a finding is not a defect; undefined for a defect. */
export function allowanceOf({ kind, amount, during }: Finding): string | undefined {
  const names = Object.keys(during);
  const fits = (one: Allowance) =>
    one.kind === kind && amount <= one.upTo && names.some((name) => one.during.test(name));
  return ALLOWED.find(fits)?.reason;
}
