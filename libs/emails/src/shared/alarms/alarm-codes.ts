/** An alarm: its subject, and when it begins and ends. */
interface AlarmFacts {
  subject: string;
  begins: string;
  ends: string;
}

/** The alarms of the package. A feature of yours may have others. */
export const ALARM_CODES = {
  next_hop_down: {
    subject: 'the next hop',
    begins: 'an email has waited for the next hop for 10 s, because no connection to it can be opened',
    ends: 'no email waits for it',
  },
  mail_late: {
    subject: '`backlog`',
    begins: 'the oldest due email has waited for 10 min',
    ends: 'the oldest has waited for less than 5 min',
  },
  webhook_disabled: {
    subject: 'the id of the webhook',
    begins: 'a webhook was disabled, because it answered 410 or only failed for five days',
    ends: 'it is enabled or deleted',
  },
  feedback_unmatched: {
    subject: '`feedback addresses`',
    begins: 'for an hour, reports to `FEEDBACK_ADDRESSES` have led to no email',
    ends: 'there was none for an hour',
  },
} as const satisfies Readonly<Record<string, AlarmFacts>>;

export type AlarmCode = keyof typeof ALARM_CODES;
