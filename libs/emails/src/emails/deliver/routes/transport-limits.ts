import type { NamedTransport } from '../../ports/named-transport.js';
import type { PermitLimits } from '../../storage/deliver/permits.repository.js';

type Limited = Pick<NamedTransport, 'maxPerSecond' | 'maxPerDay'>;

/** The limits of a transport as of now; undefined if it has none. */
export function limitsOf({ maxPerSecond: perSecond, maxPerDay }: Limited): (() => PermitLimits) | undefined {
  if (perSecond === undefined && maxPerDay === undefined) return undefined;
  return () => ({ perSecond, perDay: perDayOf(maxPerDay, today()) });
}

/** @param day such as `2026-12-01` */
export function perDayOf(maxPerDay: NamedTransport['maxPerDay'], day: string): number | undefined {
  if (typeof maxPerDay !== 'object') return maxPerDay;
  const days = Object.keys(maxPerDay).sort();
  return maxPerDay[days.findLast((from) => from <= day) ?? days[0] ?? ''];
}

/** In UTC, such as `2026-12-01`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
