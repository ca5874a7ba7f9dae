import { softens } from './softens.js';

const gaveUp = (reply: string) =>
  ({ type: 'failed', reasonCode: 'expired', reason: `Gave up. Last reply: ${reply}` }) as const;
const bounced = (subType: 'General' | 'MailboxFull' | 'ContentRejected', reasonCode?: string, reason = '') =>
  ({
    type: 'bounced',
    bounce: { type: 'Transient', subType },
    reason,
    ...(reasonCode !== undefined && { reasonCode }),
  }) as const;

describe('softens', () => {
  it.each([
    gaveUp('452 4.2.2 Mailbox full'),
    gaveUp('450 4.1.1 Try later'),
    gaveUp('450 mailbox busy'),
    bounced('MailboxFull'),
    bounced('MailboxFull', 'mailbox_full'),
    bounced('General', undefined, '451 4.2.0 Not now'),
  ])('counts %j', (event) => {
    expect(softens(event)).toBe(true);
  });

  it.each([
    gaveUp('connect ECONNREFUSED'),
    gaveUp('421 4.4.2 Connection timed out'),
    gaveUp('451 4.7.1 Greylisted'),
    gaveUp('452 4.3.1 Out of space'),
    { type: 'failed', reasonCode: 'topic_opted_out', reason: 'topic_opted_out' } as const,
    { type: 'failed', reasonCode: 'expired' } as const,
    bounced('ContentRejected'),
    bounced('MailboxFull', 'unconfirmed_bounce'),
    bounced('General', 'policy_rejected', '451 4.2.0 Not now'),
    bounced('General', undefined, '451 4.7.1 Not now'),
    { type: 'complained' } as const,
  ])('does not count %j', (event) => {
    expect(softens(event)).toBe(false);
  });
});
