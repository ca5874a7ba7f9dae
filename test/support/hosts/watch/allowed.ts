import type { Finding } from './finding.js';

interface Allowance {
  kind: Finding['kind'];
  /** One of the requests or jobs that were in progress. */
  during: RegExp;
  /** Milliseconds or megabytes up to which it is allowed. */
  upTo: number;
  reason: string;
}

/** Known work beyond the budget that is no defect. */
const ALLOWED: readonly Allowance[] = [];

/** Why a finding is no defect; undefined where it is one. */
export function allowanceOf({ kind, amount, during }: Finding): string | undefined {
  const names = Object.keys(during);
  const fits = (one: Allowance) =>
    one.kind === kind && amount <= one.upTo && names.some((name) => one.during.test(name));
  return ALLOWED.find(fits)?.reason;
}
