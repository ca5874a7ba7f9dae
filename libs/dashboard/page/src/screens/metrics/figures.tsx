import type { Metrics } from './series';

const count = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

interface Figure {
  title: string;
  value: number | undefined;
  /** Text below it. */
  more?: string | undefined;
}

/** The totals of the range, with their rates. Their space is reserved before they are known. */
export function Figures({ totals }: { totals: Metrics['totals'] | undefined }) {
  return (
    <dl className="metrics-figures">
      {figuresOf(totals).map(({ title, value, more }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <strong>{value === undefined ? '–' : count.format(value)}</strong>
            <span className="soft">{more ?? ' '}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function figuresOf(totals: Metrics['totals'] | undefined): Figure[] {
  return [
    { title: 'Sent', value: totals?.sent },
    { title: 'Delivered', value: totals?.delivered, more: deliveredOf(totals) },
    { title: 'Delayed', value: totals?.delivery_delayed },
    { title: 'Bounced', value: totals?.bounced, more: bouncedOf(totals) },
    { title: 'Failed', value: totals?.failed },
    {
      title: 'Complained',
      value: totals?.complained,
      more: rateOf(totals?.complaint_rate, totals?.delivered, 'delivered'),
    },
    { title: 'Suppressed', value: totals?.suppressed },
  ];
}

/** A relay does not report deliveries, which must not appear as a rate of 0. */
function deliveredOf(totals: Metrics['totals'] | undefined): string | undefined {
  if (totals && totals.sent > 0 && totals.delivered === 0) return 'not confirmed';
  return rateOf(totals?.delivery_rate, totals?.sent, 'sent');
}

/** Not "of sent", because immediate bounces do not count as sent. */
function bouncedOf(totals: Metrics['totals'] | undefined): string | undefined {
  return totals?.sent ? `${percent.format(totals.bounce_rate)} for 100 sent` : undefined;
}

function rateOf(rate: number | undefined, whole: number | undefined, of: string): string | undefined {
  return rate === undefined || !whole ? undefined : `${percent.format(rate)} % of ${of}`;
}
