import { domainOf } from '../../../shared/mailbox/domain-of.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import type { DestinationOutcomes, RecentOutcomes } from '../../ports/next-hop-status.js';

const MINUTE = 60_000;
/** Minutes that are counted. */
const MINUTES = 5;
/** Limit of destinations in a minute. */
const MAX_DESTINATIONS = 100;
/** Destinations that are shown. */
const SHOWN = 10;
const OTHER = 'other';

type Counts = Map<string, DestinationOutcomes>;

/** Outcomes of the last minutes, by destination. */
export class RecentAttempts {
  /** By minute since 1970. */
  private readonly minutes = new Map<number, Counts>();

  constructor(private readonly now: () => number = Date.now) {}

  add(outcomes: readonly RecipientOutcome[]): void {
    const counts = this.current();
    for (const { address, outcome } of outcomes) {
      const found = entryOf(counts, domainOf(address).toLowerCase());
      if (outcome === 'accepted') found.accepted += 1;
      else found.others += 1;
    }
  }

  read(): RecentOutcomes {
    this.forget();
    const destinations = joined([...this.minutes.values()].flatMap((counts) => [...counts.values()]));
    const accepted = destinations.reduce((sum, one) => sum + one.accepted, 0);
    return { acceptedPerMinute: accepted / MINUTES, destinations: destinations.slice(0, SHOWN) };
  }

  private current(): Counts {
    const minute = Math.floor(this.now() / MINUTE);
    const known = this.minutes.get(minute);
    if (known) return known;
    const counts: Counts = new Map();
    this.minutes.set(minute, counts);
    this.forget();
    return counts;
  }

  private forget(): void {
    const oldest = Math.floor(this.now() / MINUTE) - MINUTES;
    for (const minute of this.minutes.keys()) if (minute <= oldest) this.minutes.delete(minute);
  }
}

/** The outcomes of several transports. */
export function together(all: readonly RecentOutcomes[]): RecentOutcomes {
  const acceptedPerMinute = all.reduce((sum, one) => sum + one.acceptedPerMinute, 0);
  return { acceptedPerMinute, destinations: joined(all.flatMap(({ destinations }) => destinations)).slice(0, SHOWN) };
}

/** One entry for each domain, the largest first. */
function joined(entries: readonly DestinationOutcomes[]): DestinationOutcomes[] {
  const all: Counts = new Map();
  for (const { domain, accepted, others } of entries) {
    const sum = entryOf(all, domain, Number.POSITIVE_INFINITY);
    sum.accepted += accepted;
    sum.others += others;
  }
  return [...all.values()].sort((one, other) => sizeOf(other) - sizeOf(one));
}

function entryOf(counts: Counts, domain: string, max = MAX_DESTINATIONS): DestinationOutcomes {
  const name = counts.has(domain) || counts.size < max ? domain : OTHER;
  const found = counts.get(name) ?? { domain: name, accepted: 0, others: 0 };
  counts.set(name, found);
  return found;
}

function sizeOf({ accepted, others }: DestinationOutcomes): number {
  return accepted + others;
}
