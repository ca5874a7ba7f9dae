import { relayPayload } from './relay-payload.spec-tools.js';
import { sesReports } from './ses-reports.js';

const documented = (name: string) => sesReports(relayPayload(name).toString());
const reports = (event: object) => sesReports(JSON.stringify(event));
const EXAMPLE = 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000';
const PERMANENT = { code: 'address_unknown', bounce: { type: 'Permanent', subType: 'General' } };

const bounce = (bounceType: unknown, bounceSubType: unknown, recipient: object = {}) =>
  reports({
    eventType: 'Bounce',
    bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: 'a@example.com', ...recipient }] },
  });

describe('sesReports', () => {
  it('translates the documented bounce with a DSN, and leaves it to the words', () => {
    expect(documented('ses-bounce-dsn')).toEqual([
      {
        kind: 'bounced',
        source: 'relay',
        relayId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000',
        messageId: 'custom-message-ID',
        recipient: 'jane@example.com',
        at: Date.parse('2016-01-27T14:59:38.237Z'),
        reply: '550 5.1.1 <jane@example.com>... User',
      },
    ]);
  });

  it('translates the documented bounce of two recipients without a DSN', () => {
    expect(documented('ses-bounce')).toEqual([
      expect.objectContaining({ kind: 'bounced', recipient: 'jane@example.com', ...PERMANENT }),
      expect.objectContaining({ kind: 'bounced', recipient: 'richard@example.com', ...PERMANENT }),
    ]);
  });

  it.each([
    ['ses-complaint', { kind: 'complained', recipient: 'richard@example.com' }],
    ['ses-delivery', { kind: 'delivered', recipient: 'jane@example.com', reply: '250 ok:  Message 64111812 accepted' }],
    [
      'ses-delivery-delay',
      {
        kind: 'deferred',
        recipient: 'recipient@example.com',
        relayId: EXAMPLE,
        reply: '421 4.4.1 Unable to connect to remote host',
      },
    ],
    ['ses-reject', { kind: 'failed', recipient: 'sender@example.com', code: 'relay_rejected', reply: 'Bad content' }],
    ['ses-rendering-failure', { kind: 'failed', recipient: 'recipient@example.com', code: 'relay_rejected' }],
  ])('translates the documented %s', (name, report) => {
    expect(documented(name)).toEqual([expect.objectContaining(report)]);
  });

  it.each([
    ['Permanent', 'NoEmail', PERMANENT],
    ['Transient', 'MailboxFull', { code: 'mailbox_full', bounce: { type: 'Transient', subType: 'MailboxFull' } }],
    [
      'Transient',
      'ContentRejected',
      { code: 'content_rejected', bounce: { type: 'Transient', subType: 'ContentRejected' } },
    ],
    ['Transient', 'Another', { bounce: { type: 'Transient', subType: 'General' } }],
  ])('knows a bounce that is %s, %s', (type, subType, verdict) => {
    expect(bounce(type, subType)).toEqual([
      { kind: 'bounced', source: 'relay', recipient: 'a@example.com', ...verdict },
    ]);
  });

  it('never calls a refusal of the message permanent', () => {
    expect(bounce('Permanent', 'General', { status: '5.7.1', diagnosticCode: 'smtp; 550 5.7.1 Blocked' })).toEqual([
      { kind: 'bounced', source: 'relay', recipient: 'a@example.com', reply: '550 5.7.1 Blocked' },
    ]);
  });

  it.each(['Suppressed', 'OnAccountSuppressionList'])('takes %s for a failure: SES sent nothing', (subType) => {
    expect(bounce('Permanent', subType)).toMatchObject([{ kind: 'failed', code: 'relay_suppressed' }]);
  });

  it('ignores an out-of-office, which SES reports as a soft bounce', () => {
    expect(bounce('Transient', 'General')).toEqual([]);
    expect(bounce('Transient', 'General', { action: 'failed', status: '4.4.7' })).toMatchObject([{ kind: 'bounced' }]);
  });

  it('takes the action of each recipient', () => {
    expect(bounce('Permanent', 'General', { action: 'delayed', status: '4.0.0' })).toMatchObject([
      { kind: 'deferred' },
    ]);
    expect(bounce('Permanent', 'General', { action: 'delivered' })).toEqual([]);
  });

  it('does not say who complained when several may have', () => {
    const complainedRecipients = [{ emailAddress: 'a@example.com' }, { emailAddress: 'b@example.com' }];
    expect(reports({ eventType: 'Complaint', complaint: { complainedRecipients } })).toEqual([
      { kind: 'complained', source: 'relay' },
    ]);
  });

  it.each(['not-spam', 'auth-failure'])('takes %s for no complaint', (complaintFeedbackType) => {
    const complaint = { complaintFeedbackType, complainedRecipients: [{ emailAddress: 'a@example.com' }] };
    expect(reports({ eventType: 'Complaint', complaint })).toEqual([]);
  });

  it('finds our ids in tags and headers', () => {
    const email_id = '0192e3a4-0000-7000-8000-000000000001';
    const mail = {
      messageId: '<0102-000000@eu-west-1.amazonses.com>',
      tags: { email_id: [email_id] },
      headers: [
        { name: 'x-EMAIL-ref', value: 'abc' },
        { name: 'Message-Id', value: '<1@example.com>' },
      ],
    };
    expect(reports({ eventType: 'Delivery', mail, delivery: { recipients: ['a@example.com'] } })).toEqual([
      {
        kind: 'delivered',
        source: 'relay',
        recipient: 'a@example.com',
        token: 'abc',
        emailId: email_id,
        relayId: '0102-000000',
        messageId: '<1@example.com>',
      },
    ]);
  });

  it.each([
    { eventType: 'Open' },
    { eventType: 'Send', mail: {} },
    { notificationType: 'AmazonSnsSubscriptionSucceeded' },
    { eventType: 'constructor' },
    { eventType: { Bounce: 1 } },
    { eventType: 'Bounce', bounce: [], mail: 7 },
    { eventType: 'Bounce', bounce: { bouncedRecipients: { length: 3 } } },
    { eventType: 'Delivery', delivery: { recipients: [{}, null, 7, []] }, mail: { headers: 'x', tags: [] } },
    {
      __proto__: null,
      eventType: 'Complaint',
      complaint: { complaintSubType: 'Suppressed', complainedRecipients: null },
    },
  ])('gives nothing wrong for %j', (event) => {
    for (const report of reports(event)) expect(report.recipient).toBe('7');
  });
});
