import { decodeWords } from 'postal-mime';
import { CANARY, ContractHost, type Delivered } from '../support/hosts/contract-host.js';
import { headerNames } from '../support/reading/mime.js';

/** Contract 2.1: the posted content arrives, read by an independent parser. */
describe('the message', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.share();
  });

  const mimeTypes = ({ message }: Delivered) =>
    [...message.raw.toString('latin1').matchAll(/^content-type: ([^;\r]+)/gim)].map(([, type]) => type);

  it('carries the posted from, to, cc and reply_to', async () => {
    const { mail } = await api.deliver({
      from: 'Sender <sender@from.test>',
      to: ['First <first@to.test>', 'second@to.test'],
      cc: 'Copy <copy@to.test>',
      reply_to: ['Desk <desk@from.test>', 'other@from.test'],
    });
    expect(mail.from).toEqual({ name: 'Sender', address: 'sender@from.test' });
    expect(mail.to).toEqual([
      { name: 'First', address: 'first@to.test' },
      { name: '', address: 'second@to.test' },
    ]);
    expect(mail.cc).toEqual([{ name: 'Copy', address: 'copy@to.test' }]);
    expect(mail.replyTo).toEqual([
      { name: 'Desk', address: 'desk@from.test' },
      { name: '', address: 'other@from.test' },
    ]);
  });

  it('has each of its own header fields once', async () => {
    const { message } = await api.deliver({ html: '<p>Hi</p>', cc: 'cc@to.test', reply_to: 'r@from.test' });
    // A host with feedback has one field more.
    const names = headerNames(message.raw).filter((name) => name !== 'x-email-ref');
    expect([...names].sort()).toEqual(
      ['from', 'to', 'cc', 'reply-to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'].sort(),
    );
  });

  it('goes to bcc by the envelope alone', async () => {
    const { message } = await api.deliver({ to: 'seen@to.test', bcc: ['Hidden <hidden@to.test>', 'more@to.test'] });
    expect(message.envelope.to).toEqual(['seen@to.test', 'hidden@to.test', 'more@to.test']);
    expect(headerNames(message.raw)).not.toContain('bcc');
    expect(message.raw.toString()).not.toMatch(/hidden|more@/i);
  });

  it('goes to 150 recipients in three fields', async () => {
    const list = (prefix: string) => Array.from({ length: 50 }, (_, at) => `${prefix}${at}@to.test`);
    const { mail, message } = await api.deliver({ to: list('to'), cc: list('cc'), bcc: list('bcc') });
    expect(message.envelope.to).toEqual([...list('to'), ...list('cc'), ...list('bcc')]);
    expect(mail.to?.map(({ address }) => address)).toEqual(list('to'));
    expect(mail.cc?.map(({ address }) => address)).toEqual(list('cc'));
  });

  it('has the Message-ID that the record shows', async () => {
    const { id, mail } = await api.deliver();
    const { message_id } = await api.record(id);
    expect(message_id).toMatch(/^<[^<>@\s]+@from\.test>$/);
    expect(mail.messageId).toBe(message_id);
    expect((await api.deliver()).mail.messageId).not.toBe(message_id);
  });

  it('has html and text as alternatives, text first', async () => {
    const html = '<p>Grüße – 請求書 🦊</p>\n';
    const text = 'Grüße – 請求書 🦊\n';
    const delivered = await api.deliver({ html, text });
    expectSame(delivered.mail.html, html);
    expectSame(delivered.mail.text, text);
    expect(mimeTypes(delivered)).toEqual(['multipart/alternative', 'text/plain', 'text/html']);
  });

  it('has a text part derived from the html, while the record keeps `text: null`', async () => {
    const html = '<h1>Hello</h1><p>Read <a href="https://from.test/a">this</a> &amp; that.</p>';
    const delivered = await api.deliver({ html, text: undefined });
    expect(mimeTypes(delivered)).toEqual(['multipart/alternative', 'text/plain', 'text/html']);
    expect(delivered.mail.html?.trim()).toBe(html);
    expect(delivered.mail.text).toMatch(/hello/i);
    expect(delivered.mail.text).toMatch(/Read this .*https:\/\/from\.test\/a.* & that\./);
    expect(delivered.mail.text).not.toMatch(/<[ahp/]/);
    expect(await api.record(delivered.id)).toMatchObject({ html, text: null });
  });

  it('has html alone where no text can be derived from it', async () => {
    for (const html of ['<constructor>a</constructor>', '<svg><constructor/></svg>', '<p> </p>']) {
      const delivered = await api.deliver({ html, text: undefined });
      expect(mimeTypes(delivered)).toEqual(['text/html']);
      expect((await api.host.request('GET', `/emails/${delivered.id}/source`)).status).toBe(200);
    }
  });

  it('has html alone after `text: ""`', async () => {
    const delivered = await api.deliver({ html: '<p>Hi</p>', text: '' });
    expect(mimeTypes(delivered)).toEqual(['text/html']);
    expect(await api.record(delivered.id)).toMatchObject({ text: '' });
  });

  it('has text alone without html', async () => {
    const delivered = await api.deliver();
    expect(mimeTypes(delivered)).toEqual(['text/plain']);
    expect(delivered.mail.text?.trim()).toBe(CANARY);
  });

  it('may have no body at all', async () => {
    const delivered = await api.deliver({ text: undefined });
    expect(delivered.mail.text?.trim() ?? '').toBe('');
    expect(delivered.mail.html).toBeUndefined();
  });

  it.each([
    ['lines of one dot', '.\n..\n.\r\n.end\n'],
    ['a line of 20,000 characters', `${'x'.repeat(20_000)}\n`],
    ['lines that look like headers and boundaries', '\nSubject: no\n--boundary--\nFrom nobody\n>From\n=20=\n'],
    ['space at the ends of lines', 'a \nb\t\n\n \n'],
    ['every kind of UTF-8', `\u007f\u0080ß\u07ff\u0800\uffff🦊\u{10ffff}\n`],
  ])('carries %s', async (_, text) => {
    const { mail, message } = await api.deliver({ text, html: `<pre>${text}</pre>` });
    const lines = text.replaceAll('\r\n', '\n');
    expectSame(mail.text, lines);
    expectSame(mail.html, `<pre>${lines}</pre>`);
    expectLines(message.raw);
  });

  it.each([
    ['ASCII words', 'word '.repeat(200).slice(0, 997).concat('.')],
    ['ASCII without a space', 'x'.repeat(998)],
    ['letters outside ASCII', 'ü'.repeat(998)],
    ['CJK', '例'.repeat(998)],
    ['emoji', '🦊'.repeat(998)],
  ])('carries a subject of 998 characters: %s', async (_, subject) => {
    const { id, mail, message } = await api.deliver({ subject });
    expect(mail.subject).toBe(subject);
    expect(await api.record(id)).toMatchObject({ subject });
    expectLines(message.raw);
  });

  it.each(['Re: a: b', '"quoted" <angle@to.test>, (comment)', 'Grüße – 請求書 🦊', '100 % & = ? _ ~'])(
    'carries the subject %j',
    async (subject) => {
      const { mail, message } = await api.deliver({ subject });
      expect(mail.subject).toBe(subject);
      const [raw = ''] = /^subject: .*(\r\n[ \t].*)*/im.exec(message.raw.toString('latin1')) ?? [];
      expect(decodeWords(raw.slice('subject: '.length))).toBe(subject);
    },
  );

  it('is the only one of its email', () => api.expectNothingElseSent());
});

/** For some encodings the parser adds a final line break. */
function expectSame(received: string | undefined, given: string): void {
  expect([given, `${given}\n`]).toContain(received);
}

/** RFC 5322, 2.1.1 and 2.3: CRLF at the end of each line, and no other CR or LF; no line of more than 998 octets. */
function expectLines(raw: Buffer): void {
  const text = raw.toString('latin1');
  expect(text).not.toMatch(/[^\r]\n|\r[^\n]/);
  expect(Math.max(...text.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
}
