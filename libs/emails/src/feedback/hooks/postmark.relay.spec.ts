import type { IncomingMessage } from 'node:http';
import { PostmarkRelay } from './postmark.relay.js';
import { relayPayload } from './relay-payload.spec-tools.js';

const AUTH = 'relay:a-long-password:with-colon';
const relay = new PostmarkRelay(AUTH);

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const admit = (authorization?: string) => relay.admit({ headers: { authorization } } as IncomingMessage);
const reportsOf = (body: unknown) =>
  relay.read(Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))).reports;
const bounce = (Type: unknown, Details?: string) => reportsOf({ RecordType: 'Bounce', Type, Details });

describe('PostmarkRelay', () => {
  it('translates the documented hard bounce', () => {
    expect(reportsOf(relayPayload('postmark-bounce'))).toEqual([
      {
        kind: 'bounced',
        source: 'relay',
        relayId: '883953f4-6105-42a2-a16a-77a8eac79483',
        recipient: 'john@example.com',
        at: Date.parse('2019-11-05T16:33:54.907Z'),
        reply: 'Test bounce details',
        code: 'address_unknown',
        bounce: { type: 'Permanent', subType: 'General' },
      },
    ]);
  });

  it('translates the documented complaint, delivery and suppression', () => {
    const relayId = '883953f4-6105-42a2-a16a-77a8eac79483';
    expect(reportsOf(relayPayload('postmark-spam-complaint'))).toEqual([
      {
        kind: 'complained',
        source: 'relay',
        relayId: relayId.replaceAll(/\w/g, '0'),
        recipient: 'john@example.com',
        at: Date.parse('2019-11-05T16:33:54.907Z'),
      },
    ]);
    expect(reportsOf(relayPayload('postmark-delivery'))).toEqual([
      {
        kind: 'delivered',
        source: 'relay',
        relayId,
        recipient: 'john@example.com',
        at: Date.parse('2019-11-05T16:33:54.907Z'),
        reply: 'Test delivery webhook details',
      },
    ]);
    expect(reportsOf(relayPayload('postmark-subscription-change'))).toEqual([
      {
        kind: 'bounced',
        source: 'relay',
        relayId,
        recipient: 'bounced-address@example.com',
        at: Date.parse('2020-02-01T10:53:34.416Z'),
        code: 'address_unknown',
        bounce: { type: 'Permanent', subType: 'General' },
      },
    ]);
  });

  it.each([
    ['HardBounce', 'bounced', 'Permanent'],
    ['BadEmailAddress', 'bounced', 'Permanent'],
    ['SoftBounce', 'bounced', 'Transient'],
    ['Blocked', 'bounced', 'Transient'],
    ['DMARCPolicy', 'bounced', 'Transient'],
    ['SpamNotification', 'bounced', 'Transient'],
    ['VirusNotification', 'bounced', 'Transient'],
    ['Unknown', 'bounced', undefined],
    ['Transient', 'deferred', undefined],
    ['DnsError', 'deferred', undefined],
    ['SpamComplaint', 'complained', undefined],
    ['ManuallyDeactivated', 'failed', undefined],
  ])('takes a bounce of type %s for %s, %s', (type, kind, bounceType) => {
    const [report, ...more] = bounce(type);
    expect(more).toEqual([]);
    expect(report?.kind).toBe(kind);
    expect(report?.bounce?.type).toBe(bounceType);
  });

  it.each([
    'AutoResponder',
    'ChallengeVerification',
    'Subscribe',
    'AddressChange',
    'toString',
    '__proto__',
    7,
    null,
    {},
  ])('ignores a bounce of type %j', (type) => {
    expect(bounce(type)).toEqual([]);
  });

  it("leaves a hard bounce to the server's words where they are recognised", () => {
    expect(bounce('HardBounce', 'smtp;550 5.7.1 Blocked')).toEqual([
      { kind: 'bounced', source: 'relay', reply: '550 5.7.1 Blocked' },
    ]);
  });

  it('ignores a removal from the list, and an address that the customer put there', () => {
    const change = { RecordType: 'SubscriptionChange', SuppressionReason: 'HardBounce' };
    expect(reportsOf({ ...change, SuppressSending: false })).toEqual([]);
    expect(reportsOf({ ...change, SuppressSending: 'true' })).toEqual([]);
    expect(reportsOf({ ...change, SuppressSending: true, SuppressionReason: 'ManualSuppression' })).toEqual([]);
  });

  it('finds our id in the metadata', () => {
    const email_id = '0192e3a4-0000-7000-8000-000000000001';
    expect(reportsOf({ RecordType: 'Delivery', Metadata: { email_id } })).toMatchObject([{ emailId: email_id }]);
    expect(reportsOf({ RecordType: 'Delivery', Metadata: { email_id: 'x' } })).toEqual([
      { kind: 'delivered', source: 'relay' },
    ]);
  });

  it.each(['Open', 'Click', 'Inbound', 'constructor', 7, undefined])('ignores records of type %j', (RecordType) => {
    expect(reportsOf({ RecordType })).toEqual([]);
  });

  it('accepts an empty body', () => {
    expect(relay.read(Buffer.alloc(0))).toEqual({ reports: [] });
  });

  it.each(['[]', '7', 'null', '{'])('refuses %j', (body) => {
    expect(() => relay.read(Buffer.from(body))).toThrow(expect.objectContaining({ statusCode: 400 }));
  });

  it('admits the user and the password', () => {
    admit(basic(AUTH));
    admit(basic(AUTH).replace('Basic', 'basic '));
  });

  it.each([
    undefined,
    '',
    basic(''),
    basic('relay'),
    basic('relay:'),
    basic(`${AUTH} `),
    basic(AUTH.toUpperCase()),
    `Bearer ${Buffer.from(AUTH).toString('base64')}`,
    AUTH,
  ])('refuses %j before the body is read', (authorization) => {
    expect(() => admit(authorization)).toThrow(
      expect.objectContaining({ statusCode: 401, headers: { 'www-authenticate': 'Basic realm="hooks"' } }),
    );
  });
});
