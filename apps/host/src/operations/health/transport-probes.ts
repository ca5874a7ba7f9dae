import { withoutLimits } from '../../config/transports-of.js';
import type { Probe } from './probe.js';
import { SmtpProbe } from './smtp.probe.js';

const NAME = 'transport';

/** A probe of the only SMTP server; of several, one of them all, which needs one answer, and one of each. */
export function transportProbes(smtpUrls: readonly string[], vital: boolean): Probe[] {
  const [only, ...others] = smtpUrls;
  if (only !== undefined && others.length === 0) return [new SmtpProbe(NAME, withoutLimits(only).url, vital)];
  const each = smtpUrls.map((url, at) => new SmtpProbe(`${NAME} ${at + 1}`, withoutLimits(url).url, false));
  return [new AnyProbe(each, vital), ...each];
}

class AnyProbe implements Probe {
  readonly name = NAME;

  constructor(
    private readonly probes: readonly Probe[],
    readonly vital: boolean,
  ) {}

  async check(): Promise<void> {
    await Promise.any(this.probes.map((probe) => probe.check()));
  }

  reason(): string {
    return 'none of the servers accepts mail';
  }
}
