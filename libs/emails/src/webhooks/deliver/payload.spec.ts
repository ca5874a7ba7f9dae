import type { SubscribedEmailEvent } from '../../index.js';
import { messageOf, recipientIn } from './payload.js';

const EMAIL_ID = '0196a000-0000-7000-8000-000000000001';
const AT = new Date('2026-11-21T05:26:01.123Z');

type Changes = Partial<Omit<SubscribedEmailEvent, 'email'>> & { email?: Partial<SubscribedEmailEvent['email']> };

function event({ email, ...changes }: Changes = {}): SubscribedEmailEvent {
  return {
    id: '7',
    emailId: EMAIL_ID,
    accountId: 'one',
    type: 'delivered',
    createdAt: AT,
    ...changes,
    email: {
      messageId: '<m@from.test>',
      from: 'Ann <a@from.test>',
      to: ['b@to.test', 'c@to.test'],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 'Hello',
      createdAt: new Date('2026-11-21T05:00:00.000Z'),
      tags: [{ name: 'kind', value: 'note' }],
      headers: [],
      ...email,
    },
  } as SubscribedEmailEvent;
}

const dataOf = (changes: Changes) => JSON.parse(messageOf(event(changes)).body).data;

describe('messageOf', () => {
  it('has the fields of Resend for an email, in that order, without those that do not apply', () => {
    expect(messageOf(event()).body).toBe(
      JSON.stringify({
        type: 'email.delivered',
        created_at: '2026-11-21T05:26:01.123Z',
        data: {
          created_at: '2026-11-21T05:00:00.000Z',
          email_id: EMAIL_ID,
          message_id: '<m@from.test>',
          from: 'Ann <a@from.test>',
          to: ['b@to.test', 'c@to.test'],
          subject: 'Hello',
          tags: { kind: 'note' },
        },
      }),
    );
  });

  it('names only the recipient of an event', () => {
    const message = messageOf(event({ recipient: 'c@to.test' }));
    expect(JSON.parse(message.body).data.to).toEqual(['c@to.test']);
    expect(message.people).toEqual(['Ann <a@from.test>', 'c@to.test']);
  });

  it.each<[string, Changes, object]>([
    [
      'a reply that refuses',
      { type: 'bounced', reason: '550 5.1.1 nobody', bounce: { type: 'Permanent', subType: 'General' } },
      {
        bounce: {
          diagnosticCode: ['smtp; 550 5.1.1 nobody'],
          message: '550 5.1.1 nobody',
          subType: 'General',
          type: 'Permanent',
        },
      },
    ],
    [
      'a refusal by this server, without details',
      { type: 'bounced', reason: 'No such domain' },
      { bounce: { diagnosticCode: [], message: 'No such domain', subType: 'Undetermined', type: 'Undetermined' } },
    ],
    [
      'a failure, by its code and not by a sentence',
      { type: 'failed', reason: 'Gave up. Last reply: 451 later', reasonCode: 'expired' },
      { failed: { reason: 'expired' } },
    ],
    ['a failure without a code', { type: 'failed', reason: 'expired' }, { failed: { reason: 'delivery_failed' } }],
    ['no tags', { email: { tags: [] } }, { tags: {} }],
    ['a tag named like a prototype', { email: { tags: [{ name: '__proto__', value: 'x' }] } }, {}],
    ['headers', { email: { headers: [['X-A', '1']] } }, { headers: [{ name: 'X-A', value: '1' }] }],
  ])('tells of %s', (_, changes, detail) => {
    expect(dataOf(changes)).toMatchObject(detail);
  });

  it('keeps any characters of a subject and a name, in text that PostgreSQL can store', () => {
    const subject = 'a\u0000b\ud800c "\\ \u2028 😀';
    const { body } = messageOf(event({ email: { subject } }));
    expect(JSON.parse(body).data.subject).toBe(subject);
    expect(body).not.toContain('\u0000');
    expect(body.isWellFormed()).toBe(true);
  });

  it('has up to 4 kB of headers, names and values together; omits all of them above that, and says so', () => {
    const maximum = [
      ['X-A', 'ü'.repeat(1_000)],
      ['X-B', 'x'.repeat(1_994)],
    ] as const;
    const kept = dataOf({ email: { headers: maximum } });
    expect(kept.headers).toEqual(maximum.map(([name, value]) => ({ name, value })));
    expect(kept).not.toHaveProperty('truncated');

    const more = dataOf({ email: { headers: [...maximum, ['X', '']] } });
    expect(more).toMatchObject({ to: ['b@to.test', 'c@to.test'], truncated: true });
    expect(more).not.toHaveProperty('headers');
  });

  it('omits headers, then recipients, above 64 kB, and says so', () => {
    const headers = [['X-Long', 'x'.repeat(70_000)]] as const;
    expect(dataOf({ email: { headers } })).toMatchObject({ to: ['b@to.test', 'c@to.test'], truncated: true });
    expect(dataOf({ email: { headers } })).not.toHaveProperty('headers');

    const to = Array.from({ length: 150 }, (_, index) => `${index}${'x'.repeat(1_000)}@to.test`);
    const { body } = messageOf(event({ email: { to, headers } }));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(64_000);
    expect(JSON.parse(body).data.to).toEqual(to.slice(0, 37));
  });

  it('gives an event one id for all subscribers, and each event another', () => {
    const { id } = messageOf(event());
    expect(id).toMatch(/^msg_[A-Za-z0-9]{27}$/);
    expect(messageOf(event()).id).toBe(id);
    for (const other of [{ id: '8' }, { createdAt: new Date(0) }, { emailId: 'another' }]) {
      expect(messageOf(event(other)).id).not.toBe(id);
    }
  });

  it('passes other data on unchanged', () => {
    const data = { id: 'x', email: 'p@to.test', first_name: null };
    const message = messageOf({ id: '9', accountId: 'one', type: 'contact.created', createdAt: AT, data });
    expect(JSON.parse(message.body)).toEqual({ type: 'contact.created', created_at: AT.toISOString(), data });
    expect(message.people).toEqual(['p@to.test']);
  });
});

describe('recipientIn', () => {
  it.each([
    [{ to: ['a@to.test'] }, 'a@to.test'],
    [{ to: ['a@to.test', 'b@to.test'] }, null],
    [{ to: [] }, null],
    [{ email: 'a@to.test' }, 'a@to.test'],
    [{ id: '7' }, null],
  ])('of %j is %j', (data, recipient) => {
    expect(recipientIn(data)).toBe(recipient);
  });
});
