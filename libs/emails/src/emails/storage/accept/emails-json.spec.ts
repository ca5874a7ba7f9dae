import { turnsOf } from '../../../shared/work/turns.spec-tools.js';
import { emailsJson } from './emails-json.js';
import type { NewEmail } from './new-email.js';

const email = (more: Partial<NewEmail> = {}): NewEmail => ({
  id: 'an id',
  accountId: 'an account',
  messageId: '<a@b.test>',
  from: 'a@b.test',
  to: ['c@d.test'],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'x',
  html: null,
  text: '"\\u0000"',
  headers: [],
  tags: [],
  topicId: null,
  scheduledAt: null,
  recipients: [{ address: 'c@d.test', status: 'pending' }],
  terms: ['rcpt:c@d.test'],
  words: ['c', 'd'],
  attachments: [],
  idempotency: null,
  ...more,
});

const name = '名'.repeat(800);
const many = <Item>(length: number, make: (at: number) => Item): Item[] => Array.from({ length }, (_, at) => make(at));

describe('emailsJson', () => {
  it.each<[string, Partial<NewEmail>]>([
    ['addresses', { to: many(50, (at) => `${name} <a${at}@b.test>`) }],
    ['copies', { cc: many(50, () => `${name} <a@b.test>`), bcc: many(50, () => `${name} <b@b.test>`) }],
    ['headers', { headers: many(90, (at) => [`X-${at}`, '"'.repeat(900)]) }],
    ['tags', { tags: many(70, (at) => ({ name: `${at}`, value: 'v'.repeat(250) })) }],
    ['texts', { html: `${name}"`.repeat(6), text: '\n'.repeat(10_000) }],
    ['long texts', { html: name.repeat(1_000) }],
  ])('writes emails with many %s in slices, as JSON that says the same', async (_, more) => {
    const emails = many(60, () => email(more));
    const json = emailsJson(emails);
    expect(typeof json).not.toBe('string');
    const one = JSON.parse(emailsJson([email()]) as string)[0];
    expect(JSON.parse(Buffer.concat((await json) as Buffer[]).toString())).toEqual(
      many(60, () => ({ ...one, ...more })),
    );
  });

  it('writes the terms of an email and of its words, one a line', () => {
    const termsOf = (more: Partial<NewEmail>) => JSON.parse(emailsJson([email(more)]) as string)[0].terms;
    expect(termsOf({})).toBe('rcpt:c@d.test\nw:c\nw:d');
    expect(termsOf({ words: [] })).toBe('rcpt:c@d.test');
  });

  it('writes a batch of short emails at once', () => {
    const tags = [{ name: 'a', value: 'b' }];
    expect(typeof emailsJson(many(100, () => email({ html: '<p>Hello</p>'.repeat(50), tags })))).toBe('string');
  });

  it('shares the event loop', async () => {
    const to = many(145, (at) => `${name} <a${at}@b.test>`);
    const emails = many(100, () => email({ to }));
    const { all, longest } = await turnsOf(async () => emailsJson(emails));
    expect(longest).toBeLessThan(all / 4);
  });
});
