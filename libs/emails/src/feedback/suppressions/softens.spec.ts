import { softens } from './softens.js';

const gaveUp = (reply: string) =>
  ({ type: 'failed', reasonCode: 'expired', reason: `Gave up. Last reply: ${reply}` }) as const;
const bounced = (
  subType: 'General' | 'MailboxFull' | 'ContentRejected',
  reasonCode: 'route_failed' | 'mailbox_full' | 'policy_rejected' | 'content_rejected' | 'unconfirmed_bounce',
  reason = '',
) => ({ type: 'bounced', bounce: { type: 'Transient', subType }, reason, reasonCode }) as const;

describe('softens', () => {
  it.each([
    gaveUp('452 4.2.2 Mailbox full'),
    gaveUp('450 4.1.1 Try later'),
    gaveUp('450 4.2.1 The mailbox is temporarily disabled, try again later'),
    gaveUp('450 mailbox busy'),
    gaveUp('452 Mailbox full'),
    bounced('MailboxFull', 'mailbox_full'),
    bounced('MailboxFull', 'mailbox_full', '552 5.2.2 Over quota'),
    bounced('General', 'route_failed', '451 4.2.0 Not now'),
    bounced('General', 'route_failed', '450 mailbox busy'),
  ])('counts %j', (event) => {
    expect(softens(event)).toBe(true);
  });

  it.each([
    gaveUp('connect ECONNREFUSED'),
    gaveUp('421 4.4.2 Connection timed out'),
    gaveUp('421 Service not available'),
    gaveUp('450 Connection timed out'),
    gaveUp('451 4.7.1 Greylisted'),
    gaveUp('450 4.2.0 <a@b.test>: Recipient address rejected: Greylisted'),
    gaveUp('450 Greylisted, try again later'),
    gaveUp('450 4.1.8 <me@own.test>: Sender address rejected: Domain not found'),
    gaveUp('452 4.3.1 Out of space'),
    gaveUp('451 Local error in processing'),
    { type: 'failed', reasonCode: 'topic_opted_out', reason: 'topic_opted_out' } as const,
    { type: 'failed', reasonCode: 'expired' } as const,
    bounced('ContentRejected', 'content_rejected'),
    bounced('MailboxFull', 'unconfirmed_bounce'),
    bounced('General', 'policy_rejected', '451 4.2.0 Not now'),
    bounced('General', 'unconfirmed_bounce', '451 4.2.0 Not now'),
    bounced('General', 'route_failed', '451 4.7.1 Not now'),
    bounced('General', 'route_failed', '451 4.4.1 No answer'),
    bounced('General', 'route_failed', '550 5.1.1 Unknown after DATA'),
    bounced('General', 'route_failed'),
    { type: 'complained' } as const,
  ])('does not count %j', (event) => {
    expect(softens(event)).toBe(false);
  });
});
