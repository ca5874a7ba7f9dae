import type { Change } from './change';
import type { Granularity } from './range';
import { RATES, type RateName } from './rates/rates';
import type { Count } from './series';

const counts: Readonly<Record<Count, string>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  delivery_delayed: 'Delayed',
  bounced: 'Bounced',
  failed: 'Failed',
  complained: 'Complained',
  suppressed: 'Suppressed',
};

const by: Readonly<Record<Granularity, string>> = {
  hourly: 'by hour',
  daily: 'by day',
  weekly: 'by week',
  monthly: 'by month',
};

const rateTitles: Readonly<Record<RateName, string>> = { bounces: 'Bounce rate', complaints: 'Complaint rate' };

/** Fine enough for a limit of 0.1 %. */
const finePercent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** Every text of the Metrics screen. */
export const TEXTS = {
  title: 'Metrics',
  loading: 'Loading',
  counts,
  by,
  /** Text of a whole bar. */
  recipientsBy: (granularity: Granularity) => `Recipients ${by[granularity]}`,
  range: 'Time',
  custom: 'Custom range',
  from: 'From',
  to: 'to',
  apply: 'Apply',
  granularity: 'Bars',
  asTable: 'Table',
  notRead: 'The numbers could not be read',
  notAffected: 'Your emails are not affected.',
  /** Name of the link behind a number. */
  seeEmails: (title: string) => `See emails: ${title}`,
  notConfirmed: 'Not confirmed',
  rateOf: (rate: string, whole: string) => `${rate} of ${whole}`,
  /** Not "of sent", because immediate bounces do not count as sent. */
  bounceRate: (rate: number) => `${rate} for 100 sent`,
  before: {
    /** The period that the changes are compared with. */
    compared: (days: number) => (days === 1 ? 'Compared with the day before' : `Compared with the ${days} days before`),
    changeOf: ({ direction, by: amount }: Change) =>
      ({ same: 'No change', up: `Up ${amount}`, down: `Down ${amount}` })[direction],
  },
  chart: {
    shown: 'Shown in the chart',
    hint: 'Point at a bar for its numbers.',
    sameNumbers: 'The table has the same numbers.',
    nothing: 'nothing',
  },
  table: {
    period: 'Period',
    total: 'Total',
    what: 'the table',
    hint: 'Paste it into a spreadsheet.',
  },
  rates: {
    titles: rateTitles,
    meanings: {
      bounces: 'Bounced recipients of all that were sent to. Stay below 2 %: relays pause senders that bounce more.',
      complaints: 'Complaints of all deliveries. Gmail asks for less than 0.1 %, and for never reaching 0.3 %.',
    } satisfies Readonly<Record<RateName, string>>,
    percent: (value: number) => `${finePercent.format(value)} %`,
    nothing: 'Nothing was sent in this time.',
    tooFew: (enough: number) => `Of few recipients: it says something from ${enough} on.`,
    below: (name: RateName) => `Below ${finePercent.format(RATES[name].limits[0])} %`,
    above: (limit: number) => `Reaches the limit of ${finePercent.format(limit)} %`,
    chart: (name: RateName) =>
      `${rateTitles[name]}, with ${RATES[name].limits.map((limit) => `${finePercent.format(limit)} %`).join(' and ')} drawn in`,
  },
  domains: { title: 'By sender domain', domain: 'Domain' },
  empty: {
    title: 'No emails in this time',
    text: 'Choose a longer time above, or send an email:',
  },
  explanation: (zone: string) =>
    `Counts are recipients, not emails, at the time of each event (${zone}). Each recipient is in one bar. Delayed ` +
    'recipients are tried again, and complaints come after a delivery: both are marks next to the bars. Rates compare ' +
    'events of the same time, so they can exceed 100 %.',
};
