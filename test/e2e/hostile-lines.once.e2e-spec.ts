import { randomUUID } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { decodeWords, type Email } from 'postal-mime';
import { CANARY, ContractHost, letter } from '../support/hosts/contract-host.js';
import { filesIn } from '../support/reading/files.js';
import { headerNames, parseMime } from '../support/reading/mime.js';
import type { SinkMessage } from '../support/servers/smtp/smtp-sink.js';

/** Each one is inserted at the beginning, in the middle and at the end of every text of an email. */
const INTRUDERS = [
  ...['\r', '\n', '\r\n', '\0', '\x01', '\x08', '\t', '\v', '\f', '\x1b', '\x7f', '\x80', '\x85', '\x9f'],
  ...['\u2028', '\u2029', '\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069', '\u200b', '\ufeff'],
  ...['\u00ad', '\ufffe', '\u{e0001}', '\r\n ', '\n\t', '\r\nBcc: x@evil.test', '\nX-Injected: 1', '\r\n\r\nInjected'],
  ...[
    '=?utf-8?q?=0d=0aBcc:_x@evil.test?=',
    '=0d=0a',
    '%0d%0a',
    '\\r\\n',
    '"\r\n',
    '\u{560a}\u{560d}',
    ';',
    '"',
    '\\',
    ',',
  ],
];

/** Sequences that end a message for some servers, and the message that would follow (RFC 5321, section 4.1.1.4). */
const NEXT = 'MAIL FROM:<x@evil.test>\r\nRCPT TO:<y@evil.test>\r\nDATA\r\nSubject: injected\r\n\r\nInjected';
const ENDS = [
  ...['\r\n.\r\n', '\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r.\r\n', '\r\n.\r', '\r\n\n.\n', '\r\r\n.\r\r\n', '.\r\n'],
];

interface Accepted {
  id: string;
  text: string;
}

interface Arrived {
  message: SinkMessage;
  mail: Email;
  fileLabels: { filename: string | null; contentId: string | undefined; mimeType: string };
}

/** RFC 5321 and 5322: no posted text ends a line, a header or a message. */
describe('no text of an email', () => {
  let api: ContractHost;
  let accepted = 0;

  beforeAll(async () => {
    api = await ContractHost.share();
    const template = { name: 'T', alias: 'lines', subject: 'S {{V}} S', html: '<p>{{{V}}}</p>\n', text: '{{{V}}}\n' };
    expect((await api.host.request('POST', '/templates', { body: template })).status).toBe(201);
    expect((await api.host.request('POST', '/templates/lines/publish')).status).toBe(200);
  });

  /** Posts them in parallel: each is refused by a rule, or accepted. */
  async function post(texts: readonly string[], fields: (text: string) => object): Promise<Accepted[]> {
    const answers = await Promise.all(
      texts.map(async (text) => {
        const { status, body } = await api.host.request('POST', '/emails', { body: letter(fields(text)) });
        expect({ text, status, name: body.name }).toEqual(
          status === 200 ? { text, status: 200 } : { text, status: 422, name: 'validation_error' },
        );
        return status === 200 ? [{ id: String(body.id), text }] : [];
      }),
    );
    accepted += answers.flat().length;
    return answers.flat();
  }

  /** The required form of the received message for any content. */
  async function arrival(id: string): Promise<Arrived> {
    const message = await api.sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${id}@`));
    expect(message.envelope).toMatchObject({ from: 'sender@from.test', to: ['to@to.test'] });
    const wire = message.raw.toString('latin1');
    expect(wire).not.toMatch(/(?<!\r)\n|\r(?!\n)/);
    expect(headerNames(message.raw).filter((name) => !EXPECTED.has(name) && !/^x-(?!injected)/.test(name))).toEqual([]);
    const [file] = await filesIn(message);
    const { filename = null, contentId, mimeType = '' } = file ?? {};
    return { message, mail: await parseMime(message.raw), fileLabels: { filename, contentId, mimeType } };
  }

  const around = (intruder: string, word = 'word') => [`${intruder}${word}`, `wo${intruder}rd`, `${word}${intruder}`];
  const name = (mail: Email['from']) => mail?.name;
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

  it.each<[string, (text: string) => object, (arrived: Arrived, id: string) => unknown]>([
    ['subject', (subject) => ({ subject }), ({ mail }) => mail.subject],
    ['name of from', (text) => ({ from: `${quoted(text)} <sender@from.test>` }), ({ mail }) => name(mail.from)],
    ['name of to', (text) => ({ to: `${quoted(text)} <to@to.test>` }), ({ mail }) => name(mail.to?.[0])],
    ['bare name of to', (text) => ({ to: `${text} <to@to.test>` }), ({ mail }) => name(mail.to?.[0])],
    ['name of cc', (text) => ({ cc: `${quoted(text)} <to@to.test>` }), ({ mail }) => name(mail.cc?.[0])],
    ['name of reply_to', (text) => ({ reply_to: `${quoted(text)} <r@r.test>` }), ({ mail }) => name(mail.replyTo?.[0])],
    ['local part', (text) => ({ reply_to: `${text}@r.test` }), ({ mail }) => mail.replyTo?.[0]?.address?.split('@')[0]],
    [
      'domain',
      (text) => ({ reply_to: `r@${text}.test` }),
      ({ mail }) => domainToUnicode(mail.replyTo?.[0]?.address?.slice(2, -5) ?? ''),
    ],
    [
      'header value',
      (text) => ({ headers: { 'X-A': text } }),
      ({ mail }) => decodeWords(mail.headers.find(({ key }) => key === 'x-a')?.value ?? ''),
    ],
    [
      'header name',
      (text) => ({ headers: { [`X-${text}`]: 'b' } }),
      ({ mail }, text) => (mail.headers.some(({ key }) => key === `x-${text}`.toLowerCase()) ? text : mail.headers),
    ],
    [
      'filename',
      (filename) => ({ attachments: [{ filename, content: 'YQ==' }] }),
      ({ fileLabels }) => fileLabels.filename,
    ],
    [
      'content_type',
      (text) => ({ attachments: [{ content_type: `text/${text}`, content: 'YQ==' }] }),
      ({ fileLabels }) => fileLabels.mimeType.slice('text/'.length),
    ],
    [
      'name in content_type',
      (text) => ({
        attachments: [{ content_type: `text/plain; name=${quoted(text)}`, filename: 'f', content: 'YQ==' }],
      }),
      ({ fileLabels }, text) => (fileLabels.filename === 'f' ? text : fileLabels.filename),
    ],
    [
      'content_id',
      (content_id) => ({ attachments: [{ filename: 'a', content: 'YQ==', content_id }] }),
      ({ fileLabels }) => fileLabels.contentId?.slice(1, -1),
    ],
    ['tag', (text) => ({ tags: [{ name: text, value: text }] }), (_, text) => text],
    [
      'variable of a template',
      (V) => ({ text: undefined, subject: undefined, template: { id: 'lines', variables: { V } } }),
      ({ mail }) => mail.subject?.slice(2, -2),
    ],
    [
      'html',
      (text) => ({ html: `<p>${text}</p>\n`, text: 'x' }),
      ({ mail }) => /^<p>(.*)<\/p>\s*$/s.exec(mail.html ?? '')?.[1],
    ],
    ['text', (text) => ({ text: `<${text}>\n` }), ({ mail }) => mail.text?.slice(1, -2)],
  ])('starts a line with a %s', async (_, fields, read) => {
    for (const { id, text } of await post(
      INTRUDERS.flatMap((intruder) => around(intruder)),
      fields,
    )) {
      expect(comparable(String(read(await arrival(id), text)))).toBe(comparable(text));
    }
  });

  it.each(ENDS.map((end) => [JSON.stringify(end), end]))('ends the message by %s', async (_, end) => {
    const smuggled = `before${end}${NEXT}${end}.${end}..${end}after\n`;
    const file = Buffer.from(smuggled);
    const attachments = [{ filename: 'a.eml', content_type: 'message/rfc822', content: file.toString('base64') }];
    for (const fields of [
      { text: smuggled },
      { html: smuggled, text: smuggled },
      { html: smuggled },
      { text: `.${end}` },
      { text: smuggled, attachments },
      { text: undefined, template: { id: 'lines', variables: { V: `word ${randomUUID()}` } } },
    ]) {
      const [email] = await post([''], () => fields);
      const { mail, message } = await arrival(email!.id);
      const { html, text } = fields as { html?: string; text?: string };
      if (html) expect(withLf(mail.html)).toBe(withLf(html));
      if (text) expect(withLf(mail.text)).toBe(withLf(text));
      // A message in a message consists of lines, too, and RFC 2046 section 5.2.1 forbids base64, which would preserve
      // their ends.
      if ('attachments' in fields) expect(withLf(String((await filesIn(message))[0]?.content))).toBe(withLf(smuggled));
    }
    const refused = await post([smuggled, end], (text) => ({ subject: text, headers: { 'X-A': text } }));
    expect(refused.map(({ text }) => text)).toEqual([]);
  });

  it('ends it at a chunk of the connection', async () => {
    for (const padding of [0, 1, 2, 3, 4].map((more) => 65_536 - more)) {
      const text = `${'x'.repeat(70)}\n`.repeat(Math.ceil(padding / 71)).slice(0, padding);
      const [email] = await post([''], () => ({ text: `${text}\n.\n${NEXT}\n` }));
      expect(withLf((await arrival(email!.id)).mail.text)).toBe(withLf(`${text}\n.\n${NEXT}\n`));
    }
  });

  it('made a message that was not posted', async () => {
    await api.deliver({ subject: 'The last one' });
    accepted += 1;
    expect(api.sink.offered).toHaveLength(accepted);
    expect(api.sink.offered.filter(({ envelope }) => JSON.stringify(envelope).includes('evil'))).toEqual([]);
    expect(api.host.output).not.toContain(CANARY);
  });
});

/** All header fields that an email of these tests may have. */
const EXPECTED = new Set([
  ...['from', 'to', 'cc', 'reply-to', 'subject', 'message-id', 'date', 'mime-version', 'content-type'],
  ...['content-transfer-encoding', 'content-disposition', 'content-id'],
]);

/**
 * Mail has one kind of line end (RFC 5322, section 2.1); the posted kind, and a missing last one, are not preserved.
 */
function withLf(text = ''): string {
  return text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');
}

/** Blanks around a mailbox do not count, and the parser drops U+FEFF at the start of a text (WHATWG Encoding, BOM). */
function comparable(text: string): string {
  return withLf(text).replaceAll(/^[ \t\ufeff]+|[ \t]+$/g, '');
}
