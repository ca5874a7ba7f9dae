import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { HookToken } from './hook-token.repository.js';
import { MailgunRelay } from './mailgun.relay.js';
import { relayPayload } from './relay-payload.spec-tools.js';

const KEY = 'a-signing-key-of-the-tests';
const NOW = Math.floor(Date.now() / 1_000);

/** Tokens of one process, with the rules of the table. */
class Tokens {
  readonly bodies = new Map<string, { body: string; isUsed: boolean }>();

  async claim({ token, body }: HookToken): Promise<boolean> {
    const hash = createHash('sha256').update(body).digest('hex');
    const known = this.bodies.get(token) ?? { body: hash, isUsed: false };
    this.bodies.set(token, known);
    return known.body === hash && !known.isUsed;
  }

  async use({ token }: HookToken): Promise<void> {
    const known = this.bodies.get(token);
    if (known) known.isUsed = true;
  }
}

const relayed = () => {
  const tokens = new Tokens();
  return { tokens, relay: new MailgunRelay(KEY, tokens) };
};

function signature({ timestamp = String(NOW), token = 't'.repeat(50), key = KEY } = {}) {
  return {
    token,
    timestamp,
    signature: createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex'),
  };
}

/** The body of a request with these bytes of an event. */
function posted(event: Buffer | object, signed: object = signature()): Buffer {
  const bytes = Buffer.isBuffer(event) ? event.toString() : JSON.stringify(event);
  return Buffer.from(`{"signature": ${JSON.stringify(signed)}, "event-data": ${bytes}}`);
}

const reportsOf = async (event: Buffer | object) => (await relayed().relay.read(posted(event))).reports;
const unauthorized = expect.objectContaining({ statusCode: 401 });

describe('MailgunRelay', () => {
  it('translates the documented permanent failure', async () => {
    expect(await reportsOf(relayPayload('mailgun-failed-permanent'))).toEqual([
      {
        kind: 'bounced',
        source: 'relay',
        messageId: '20260212174255.58bbb7ce85a423e5@mailgun.com',
        recipient: 'badrecipient@sample.mailgun.com',
        at: 1_770_918_175.592_3693 * 1_000,
        reply:
          '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [BN3PEPF0000B36D.namprd21.prod.outlook.com 2026-02-12T17:42:55.527Z 08DE657A58651558]',
      },
    ]);
  });

  it.each([
    ['mailgun-delivered', { kind: 'delivered', reply: '250 OK', recipient: 'recipient@sample.mailgun.com' }],
    ['mailgun-failed-temporary', { kind: 'deferred', reply: expect.stringMatching(/^421 Your IP /) }],
    ['mailgun-complained', { kind: 'complained', messageId: '20260212182531.0d5ed3254c319957@sample.mailgun.com' }],
  ])('translates the documented %s', async (name, report) => {
    expect(await reportsOf(relayPayload(name))).toEqual([expect.objectContaining(report)]);
  });

  it('ignores other kinds, and leaves their tokens alone', async () => {
    const { relay, tokens } = relayed();
    for (const event of [relayPayload('mailgun-unsubscribed'), { event: 'opened' }, { event: 'constructor' }, [], {}]) {
      expect((await relay.read(posted(event))).reports).toEqual([]);
    }
    expect(tokens.bodies.size).toBe(0);
  });

  it.each([
    [
      'its own list',
      { reason: 'suppress-bounce', severity: 'permanent' },
      { kind: 'failed', code: 'relay_suppressed' },
    ],
    [
      'the end of its attempts',
      { reason: 'old', severity: 'temporary' },
      { kind: 'bounced', bounce: { type: 'Transient', subType: 'General' } },
    ],
    [
      'a soft bounce',
      { severity: 'permanent', 'delivery-status': { code: 554, message: 'blocked', 'bounce-type': 'soft' } },
      { kind: 'bounced', reply: '554 blocked', bounce: { type: 'Transient', subType: 'General' } },
    ],
    ['no words', { severity: 'permanent' }, { kind: 'bounced', bounce: { type: 'Transient', subType: 'General' } }],
  ])('knows %s', async (_, event, report) => {
    expect(await reportsOf({ event: 'failed', ...event })).toEqual([expect.objectContaining(report)]);
  });

  it("leaves other failures to the server's words", async () => {
    const failed = {
      event: 'failed',
      severity: 'permanent',
      'delivery-status': { code: 550, message: '5.7.1 Blocked' },
    };
    expect(await reportsOf(failed)).toEqual([{ kind: 'bounced', source: 'relay', reply: '550 5.7.1 Blocked' }]);
  });

  it('takes a rejection for a failure', async () => {
    expect(await reportsOf({ event: 'rejected', reject: { reason: 'Sandbox' } })).toEqual([
      { kind: 'failed', source: 'relay', code: 'relay_rejected', reply: 'Sandbox' },
    ]);
  });

  it('finds our id in the variables', async () => {
    const email_id = '0192e3a4-0000-7000-8000-000000000001';
    expect(await reportsOf({ event: 'complained', 'user-variables': { email_id } })).toMatchObject([
      { emailId: email_id },
    ]);
  });

  it('refuses a token under another event, also while the first is under way', async () => {
    const { relay } = relayed();
    const { recorded } = await relay.read(posted({ event: 'delivered' }));
    await expect(relay.read(posted({ event: 'complained' }))).rejects.toThrow(unauthorized);
    await recorded?.();
    await expect(relay.read(posted({ event: 'complained' }))).rejects.toThrow(unauthorized);
  });

  it('accepts the same request again until its reports are committed, and never after', async () => {
    const { relay } = relayed();
    await relay.read(posted({ event: 'delivered' }));
    const { reports, recorded } = await relay.read(posted({ event: 'delivered' }));
    expect(reports).toHaveLength(1);
    await recorded?.();
    await expect(relay.read(posted({ event: 'delivered' }))).rejects.toThrow(unauthorized);
  });

  it('accepts a signature for fifteen minutes', async () => {
    const signed = signature({ timestamp: String(NOW - 14 * 60) });
    expect((await relayed().relay.read(posted({ event: 'delivered' }, signed))).reports).toHaveLength(1);
  });

  it("accepts the signature of a subaccount's parent", async () => {
    const { signature: parent, ...rest } = signature();
    const signed = { ...rest, signature: 'f'.repeat(64), 'parent-signature': parent };
    expect((await relayed().relay.read(posted({ event: 'delivered' }, signed))).reports).toHaveLength(1);
  });

  it.each<[string, object | null]>([
    ['none', null],
    ['another key', signature({ key: 'another' })],
    ['an old one', signature({ timestamp: String(NOW - 16 * 60) })],
    ['one of the future', signature({ timestamp: String(NOW + 3_600) })],
    ['an invalid time', signature({ timestamp: '1e9' })],
    ['no token', signature({ token: '' })],
    ['another token', { ...signature(), token: 'u'.repeat(50) }],
    ['another time', { ...signature(), timestamp: String(NOW - 1) }],
    ['wrong types', { token: {}, timestamp: [], signature: 7 }],
  ])('refuses as signature %s', async (_, signed) => {
    const { relay, tokens } = relayed();
    const body = signed
      ? posted({ event: 'complained' }, signed)
      : Buffer.from('{"event-data":{"event":"complained"}}');
    await expect(relay.read(body)).rejects.toThrow(unauthorized);
    expect(tokens.bodies.size).toBe(0);
  });

  it.each(['', '[]', '7', '{', '\xff'])('refuses %j, which is no event', async (text) => {
    await expect(relayed().relay.read(Buffer.from(text, 'latin1'))).rejects.toThrow(
      expect.objectContaining({ statusCode: 400 }),
    );
  });

  it.each([
    [{}, false],
    [{ 'x-forwarded-proto': 'http' }, false],
    [{ 'x-forwarded-proto': 'https' }, true],
    [{ forwarded: 'for=192.0.2.1;proto=https' }, true],
  ])('needs https: %j', (headers, isAdmitted) => {
    const admit = () => relayed().relay.admit({ headers, socket: new Socket() } as IncomingMessage);
    if (isAdmitted) admit();
    else expect(admit).toThrow(unauthorized);
  });
});
