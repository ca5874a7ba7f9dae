import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { relayPayload } from './relay-payload.spec-tools.js';
import { SendgridRelay } from './sendgrid.relay.js';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const relay = new SendgridRelay(exported(publicKey));

const NOW = Math.floor(Date.now() / 1_000);
const IDS = { messageId: '<14c5d75ce93.dfd.64b469@ismtpd-555>', recipient: 'example@test.com', source: 'relay' };

function exported(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** The headers of a signed request. */
function headers(body: Buffer, at = NOW, key = privateKey) {
  const signed = Buffer.concat([Buffer.from(String(at)), body]);
  return {
    'x-twilio-email-event-webhook-signature': sign('sha256', signed, key).toString('base64'),
    'x-twilio-email-event-webhook-timestamp': String(at),
  };
}

function reportsOf(body: Buffer | string) {
  const bytes = Buffer.from(body);
  return relay.read(bytes, headers(bytes)).reports;
}

const admit = (given: object) => relay.admit({ headers: given } as IncomingMessage);

describe('SendgridRelay', () => {
  it('translates the documented events, and leaves out those without use', () => {
    const ids = { ...IDS, relayId: 'sg_message_id', at: Date.parse('2017-12-15T00:59:29Z') };
    expect(reportsOf(relayPayload('sendgrid-events'))).toEqual([
      { ...ids, kind: 'deferred', reply: '400 try again later' },
      { ...ids, kind: 'delivered', reply: '250 OK' },
      {
        ...ids,
        kind: 'bounced',
        reply: '500 5.0.0 unknown recipient',
      },
      { ...ids, kind: 'failed', reply: 'Bounced Address', code: 'relay_suppressed' },
      { ...ids, kind: 'complained' },
    ]);
  });

  it('finds the id of its 250 in the id of a message', () => {
    expect(reportsOf(relayPayload('sendgrid-bounce'))).toMatchObject([
      { kind: 'bounced', relayId: '14c5d75ce93.dfd.64b469' },
    ]);
    expect(reportsOf('[{"event":"delivered","sg_message_id":"pvbjCs-x.recvd-5f-1.0"}]')).toEqual([
      { kind: 'delivered', source: 'relay', relayId: 'pvbjCs-x' },
    ]);
  });

  it('never calls a block permanent', () => {
    expect(reportsOf(relayPayload('sendgrid-blocked'))).toMatchObject([
      { kind: 'bounced', bounce: { type: 'Transient', subType: 'General' } },
    ]);
  });

  it("leaves a bounce to the server's words where they are recognised", () => {
    const event = {
      event: 'bounce',
      type: 'bounce',
      status: '5.7.1',
      reason: '550 5.7.1 Message rejected due to policy',
    };
    expect(reportsOf(JSON.stringify([event]))).toEqual([
      { kind: 'bounced', source: 'relay', reply: '550 5.7.1 Message rejected due to policy' },
    ]);
    const full = { event: 'bounce', type: 'bounce', status: '5.0.0', reason: '552 Mailbox full' };
    expect(reportsOf(JSON.stringify([full]))).toEqual([
      { kind: 'bounced', source: 'relay', reply: '552 5.0.0 Mailbox full' },
    ]);
  });

  it.each(['email_id', 'unique_args'])('finds our id in %s', (key) => {
    const id = '0192E3A4-0000-7000-8000-000000000001';
    const event = { event: 'spamreport', [key]: key === 'unique_args' ? { email_id: id } : id };
    expect(reportsOf(JSON.stringify([event]))).toMatchObject([{ emailId: id.toLowerCase() }]);
  });

  it("accepts the signature in the tests of SendGrid's library (sendgrid-nodejs 7.2.6)", () => {
    const theirs = new SendgridRelay(
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==',
    );
    const body = '{"category":"example_payload","event":"test_event","message_id":"message_id"}';
    const read = () =>
      theirs.read(Buffer.from(body), {
        'x-twilio-email-event-webhook-signature':
          'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
        'x-twilio-email-event-webhook-timestamp': '1588788367',
      });
    // Their payload is an object, which no webhook sends: the signature is checked before that.
    expect(read).toThrow('must be an array of events');
  });

  it('refuses a body that was changed, another key, and another time', () => {
    const body = relayPayload('sendgrid-bounce');
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    const wrong = [
      [Buffer.concat([body, Buffer.from(' ')]), headers(body)],
      [body, headers(body, NOW, other)],
      [body, { ...headers(body), 'x-twilio-email-event-webhook-timestamp': String(NOW + 1) }],
      [body, { ...headers(body), 'x-twilio-email-event-webhook-signature': 'AAAA' }],
    ] as const;
    for (const [bytes, given] of wrong) {
      expect(() => relay.read(bytes, given)).toThrow(expect.objectContaining({ statusCode: 401 }));
    }
  });

  it.each([
    ['no headers', {}],
    ['no time', { ...headers(Buffer.alloc(0)), 'x-twilio-email-event-webhook-timestamp': undefined }],
    ['an old signature', headers(Buffer.alloc(0), NOW - 16 * 60)],
    ['a signature of the future', headers(Buffer.alloc(0), NOW + 16 * 60)],
    ['an invalid time', { ...headers(Buffer.alloc(0)), 'x-twilio-email-event-webhook-timestamp': '1e9' }],
  ])('refuses %s before the body is read', (_, given) => {
    expect(() => admit(given)).toThrow(expect.objectContaining({ statusCode: 401 }));
  });

  it('admits a recent signature', () => {
    admit(headers(Buffer.alloc(0), NOW - 14 * 60));
  });

  it.each([
    '[]',
    '[null, 1, "x", [], {}, {"event": 1}, {"event": "constructor"}, {"event": "__proto__"}, {"event": {"event": "bounce"}}]',
    '[{"__proto__": {"event": "bounce"}}]',
  ])('gives nothing for %s', (body) => {
    expect(reportsOf(body)).toEqual([]);
  });

  it('takes wrong types everywhere for missing', () => {
    const event = {
      event: 'bounce',
      email: {},
      'smtp-id': [],
      sg_message_id: null,
      reason: [],
      status: {},
      email_id: 7,
    };
    expect(reportsOf(JSON.stringify([event]))).toEqual([
      { kind: 'bounced', source: 'relay', code: 'address_unknown', bounce: { type: 'Permanent', subType: 'General' } },
    ]);
  });

  it('makes texts storable', () => {
    const event = { event: 'delivered', email: 'a\0\ud800@example.com', response: 'x'.repeat(100_000) };
    const [report] = reportsOf(JSON.stringify([event]));
    expect(report?.recipient).toBe('a\ufffd\ufffd@example.com');
    expect(report?.reply).toHaveLength(2_000);
  });

  it.each(['{}', '7', 'null', '"x"', '', '[', '{"a":1}x', '\xff'])('refuses %j, which is no batch', (body) => {
    const bytes = Buffer.from(body, 'latin1');
    expect(() => relay.read(bytes, headers(bytes))).toThrow(expect.objectContaining({ statusCode: 400 }));
  });

  it('reads a megabyte of nesting', () => {
    const bytes = Buffer.from('['.repeat(500_000) + ']'.repeat(500_000));
    expect(relay.read(bytes, headers(bytes)).reports).toEqual([]);
  });

  it.each(['', 'x', 'AAAA', exported(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey)])(
    'cannot be made with %j',
    (key) => {
      expect(() => new SendgridRelay(key)).toThrow();
    },
  );
});
