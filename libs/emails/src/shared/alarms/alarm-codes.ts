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
  quota_near: {
    subject: '`day` or `month`, of an account',
    begins: 'an account has used 90 % of a quota; the counts are those of its accepted emails',
    ends: 'the day or the month (UTC) is over, or the quota is raised',
  },
  reputation: {
    subject: 'the account',
    begins: 'of its recipients, 2 % bounce or 0.1 % complain',
    ends: 'the rates have been good for an hour',
  },
  account_held: {
    subject: 'the account',
    begins: 'with `onReputation: hold`: 5 % bounce or 0.3 % complain, and its emails are held',
    ends: 'it was released, and its rates are good',
  },
  provider_bad_hour: {
    subject: 'the operator, such as `gmail`',
    begins: 'its servers refuse unusually many addresses, which are not suppressed meanwhile',
    ends: 'it has been back to normal for an hour',
  },
  signing_failed: {
    subject: 'the domain, of an account',
    begins: 'a key of a domain cannot sign: its emails wait',
    ends: 'its keys sign again',
  },
  domain_records_missing: {
    subject: 'the domain, of an account',
    begins: 'a DNS record of a verified domain is missing or wrong',
    ends: 'all of its records are there, or the domain is deleted',
  },
  domain_keys_unreadable: {
    subject: '`SECRET_KEY`',
    begins: 'DKIM keys cannot be opened, because the secret they are encrypted with is gone',
    ends: 'the secret is back, or the keys were rotated',
  },
} as const satisfies Readonly<Record<string, AlarmFacts>>;

/** One of `ALARM_CODES`. */
export type AlarmCode = keyof typeof ALARM_CODES;
