import { Link } from 'wouter';
import type { EmailState } from '../../api/types';
import { emailsLink } from '../../parts/emails-link';
import { countOf, percentOf } from '../../parts/numbers';
import { changeOf } from './change';
import { COUNTS, type Count, type Counts, type Metrics } from './series';
import { TEXTS } from './texts';

interface FiguresProps {
  totals: Metrics['totals'];
  /** Figures of the period before, unless it could not be read. */
  before: Counts | undefined;
  /** Start and exclusive end of the numbers. */
  bounds: { start: Date; end?: Date };
}

const DELIVERED: readonly EmailState[] = ['delivered', 'opened', 'clicked', 'complained'];

/** States of the emails behind each number. */
const STATES: Readonly<Record<Count, readonly EmailState[]>> = {
  sent: ['sent', ...DELIVERED],
  delivered: DELIVERED,
  delivery_delayed: ['delivery_delayed'],
  bounced: ['bounced'],
  failed: ['failed'],
  complained: ['complained'],
  suppressed: ['suppressed'],
};

/** The totals of the range with their rates, the change from the period before, and a link to the emails behind each. */
export function Figures({ totals, before, bounds: { start, end } }: FiguresProps) {
  const linkOf = (name: Count) => emailsLink({ state: STATES[name], after: start, ...(end && { before: end }) });
  return (
    <dl className="metrics-figures">
      {COUNTS.map((name) => (
        <div key={name}>
          <dt>{TEXTS.counts[name]}</dt>
          <dd>
            <Figure title={TEXTS.counts[name]} value={totals[name]} href={linkOf(name)} />
            <span className="soft">{rateOf(name, totals) ?? ' '}</span>
            <span className="soft">{before ? TEXTS.before.changeOf(changeOf(totals[name], before[name])) : ' '}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Figure({ title, value, href }: { title: string; value: number; href: string }) {
  if (value === 0) return <strong>{countOf(0)}</strong>;
  return (
    <Link href={href} title={TEXTS.seeEmails(title)}>
      <strong>{countOf(value)}</strong>
    </Link>
  );
}

function rateOf(name: Count, totals: Metrics['totals']): string | undefined {
  const { sent, delivered } = totals;
  switch (name) {
    case 'delivered':
      // A relay does not report deliveries, which must not appear as a rate of 0.
      if (sent > 0 && delivered === 0) return TEXTS.notConfirmed;
      return sent > 0 ? TEXTS.rateOf(percentOf(totals.delivery_rate), TEXTS.counts.sent.toLowerCase()) : undefined;
    case 'bounced':
      return sent > 0 ? TEXTS.bounceRate(totals.bounce_rate) : undefined;
    case 'complained':
      return delivered > 0
        ? TEXTS.rateOf(percentOf(totals.complaint_rate), TEXTS.counts.delivered.toLowerCase())
        : undefined;
    default:
      return undefined;
  }
}
