import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import MimeNode from 'nodemailer/lib/mime-node';
import { turnsOf } from '../../shared/work/turns.spec-tools.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { MessageBuilder } from './message-builder.js';

const CONTENT = Buffer.alloc(300_000, 'content ');

const email = (some: Partial<PendingEmail> = {}): PendingEmail => ({
  id: '0192f0c0-0000-7000-8000-000000000001',
  accountId: 'account',
  messageId: '<1@from.test>',
  from: 'Sender <sender@from.test>',
  to: ['a@to.test'],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  text: 'Hello there',
  contentSize: 11,
  isHtmlOnly: false,
  headers: [],
  topicId: null,
  date: new Date(0),
  attachments: [],
  recipients: [],
  tags: null,
  apiKeyId: null,
  domainId: null,
  isBulk: false,
  acceptedFor: 0,
  age: 0,
  dueFor: 0,
  attempts: 0,
  ...some,
});

const files = (count: number): PendingEmail['attachments'] =>
  Array.from({ length: count }, (_, n) => ({
    filename: `${n}.bin`,
    contentType: 'application/octet-stream',
    contentId: null,
    contentHash: `hash ${n}`,
    size: CONTENT.length,
  }));

/** A storage that counts the open contents. */
function counted() {
  const counts = { opened: 0, open: 0, mostOpen: 0 };
  const get = async () => {
    counts.opened += 1;
    counts.open += 1;
    counts.mostOpen = Math.max(counts.mostOpen, counts.open);
    const content = Readable.from([CONTENT]);
    content.once('close', () => {
      counts.open -= 1;
    });
    return content;
  };
  return { counts, builder: new MessageBuilder({ get, put: async () => {} }) };
}

const open = (raw: Buffer | (() => Readable)): Readable => (Buffer.isBuffer(raw) ? Readable.from([raw]) : raw());

describe('MessageBuilder', () => {
  it('builds a small message once for recipients that each get their own', async () => {
    const { builder } = counted();
    const recipients = ['a@to.test', 'ä@to.test', 'c@to.test'].map((address) => ({
      address,
      status: 'pending' as const,
    }));
    const one = email({ to: ['a@to.test', 'c@to.test'], recipients });
    const first = await builder.build(one, ['a@to.test'], new Set());
    const second = await builder.build(one, ['ä@to.test'], new Set());
    expect(second.raw).toBe(first.raw);
    expect([first, second].map(({ recipients, needsSmtpUtf8 }) => [recipients, needsSmtpUtf8])).toEqual([
      [['a@to.test'], false],
      [['ä@to.test'], true],
    ]);
    expect(second).not.toHaveProperty('hidden');
    const without = await builder.build(one, ['a@to.test'], new Set(['c@to.test']));
    expect(String(without.raw)).not.toContain('c@to.test');
    const large = email({ text: 'x'.repeat(100_000), contentSize: 100_000, recipients });
    const builds = [
      await builder.build(large, ['a@to.test'], new Set()),
      await builder.build(large, ['c@to.test'], new Set()),
    ];
    expect(builds[0]?.raw).not.toBe(builds[1]?.raw);
  });

  it('opens no attachment before the message is read, and then one after the other', async () => {
    const { counts, builder } = counted();
    const { raw } = await builder.build(email({ attachments: files(20) }), ['a@to.test'], new Set());
    expect(counts.opened).toBe(0);
    await buffer(open(raw));
    expect(counts).toEqual({ opened: 20, open: 0, mostOpen: 1 });
  });

  it('returns the same bytes each time a message is opened', async () => {
    const { builder } = counted();
    const { raw } = await builder.build(email({ attachments: files(2) }), ['a@to.test'], new Set());
    const first = await buffer(open(raw));
    expect(first.toString()).toContain(CONTENT.toString('base64').slice(0, 76));
    expect(first.equals(await buffer(open(raw)))).toBe(true);
  });

  it('closes open attachments when its reader stops', async () => {
    const { counts, builder } = counted();
    const { raw } = await builder.build(email({ attachments: files(3) }), ['a@to.test'], new Set());
    const stream = open(raw);
    while (counts.opened === 0) await new Promise((resolve) => setImmediate(() => resolve(stream.read())));
    stream.destroy();
    while (counts.open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(counts.opened).toBe(1);
  });

  it('fails while being read when an attachment cannot be read', async () => {
    const get = async () => Readable.from([CONTENT.subarray(1)]);
    const builder = new MessageBuilder({ get, put: async () => {} });
    const { raw } = await builder.build(email({ attachments: files(1) }), ['a@to.test'], new Set());
    await expect(buffer(open(raw))).rejects.toThrow('size');
  });

  it('keeps no opened content: fails the next time when an attachment is gone', async () => {
    const contents = [CONTENT];
    const get = async () => Readable.from(contents.splice(0));
    const builder = new MessageBuilder({ get, put: async () => {} });
    const { raw } = await builder.build(email({ attachments: files(1) }), ['a@to.test'], new Set());
    await buffer(open(raw));
    await expect(buffer(open(raw))).rejects.toThrow('size');
  });

  it.each<[string, Partial<PendingEmail>, boolean]>([
    ['from', { from: 'jörg@from.test' }, true],
    ['to', { to: ['jörg@to.test'] }, true],
    ['cc', { cc: ['jörg@to.test'] }, true],
    ['replyTo', { replyTo: ['jörg@from.test'] }, true],
    ['References', { headers: [['References', '<jörg@to.test>']] }, true],
    ['In-Reply-To, with an attachment', { headers: [['In-Reply-To', '<jörg@to.test>']], attachments: files(1) }, true],
    [
      'names, domains, subject and headers',
      {
        from: 'Jörg <joerg@bücher.test>',
        replyTo: ['Jörg <joerg@bücher.test>'],
        subject: 'Grüße',
        headers: [
          ['X-Reply-To', 'Grüße <jörg@to.test>'],
          ['List-Unsubscribe', '<mailto:jörg@to.test>'],
        ],
      },
      false,
    ],
  ])('needs SMTPUTF8 exactly when the headers do: %s', async (_, some, needed) => {
    const { builder } = counted();
    const { raw, needsSmtpUtf8 } = await builder.build(email(some), ['b@to.test'], new Set());
    expect(needsSmtpUtf8).toBe(needed);
    const headers = (await buffer(open(raw))).toString().split('\r\n\r\n')[0] ?? '';
    expect(/[^\0-\x7f]/.test(headers)).toBe(needed);
  });

  describe('of many headers', () => {
    const { builder } = counted();
    const headers = Array.from({ length: 100 }, (_, at): [string, string] => [`X-${at}`, 'é'.repeat(490)]);
    const build = (some: Partial<PendingEmail> = {}) =>
      builder.build(email({ headers, ...some }), ['a@to.test'], new Set());

    it('composes them once', async () => {
      const composed = jest.spyOn(MimeNode.prototype, 'encodeHeaderValue');
      await build();
      const written = composed.mock.calls.filter(([name]) => name === 'X-1');
      composed.mockRestore();
      expect(written).toHaveLength(1);
    });

    it('composes those of several messages in turns of their own', async () => {
      const { all, longest } = await turnsOf(() => Promise.all(Array.from({ length: 10 }, () => build())));
      expect(longest).toBeLessThan(all / 4);
    });

    it('lets accounts take turns', async () => {
      const ended: string[] = [];
      const accounts = ['one', 'one', 'one', 'two'];
      await Promise.all(
        accounts.map(async (accountId) => {
          await build({ accountId });
          ended.push(accountId);
        }),
      );
      expect(ended.indexOf('two')).toBeLessThan(3);
    });
  });

  describe('of large texts', () => {
    const { builder } = counted();
    const built = async (some: Partial<PendingEmail>) => {
      const contentSize = Buffer.byteLength(`${some.html ?? ''}${some.text ?? ''}`);
      const { raw } = await builder.build(email({ ...some, contentSize }), ['a@to.test'], new Set());
      return buffer(open(raw));
    };
    const partOf = (message: Buffer, encoding: string) => {
      const [head = '', body = ''] = message.toString('latin1').split(/\r\n\r\n(.*)/s);
      expect(head).toContain(`Content-Transfer-Encoding: ${encoding}`);
      return body;
    };
    const decoded = (text: string) =>
      Buffer.from(
        text
          .replace(/=\r\n/g, '')
          .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        'latin1',
      ).toString();

    it.each([
      ['words', 'a line of words\r\n'.repeat(10_000)],
      ['letters with accents', 'Gr\u00fc\u00dfe aus K\u00f6ln\r\n'.repeat(10_000)],
      ['signs', '.a\r\n= \r\n'.repeat(30_000)],
    ])('writes %s as quoted-printable', async (_, text) => {
      expect(decoded(partOf(await built({ text }), 'quoted-printable'))).toBe(text);
    });

    it('writes text with few Latin letters as base64, without cutting a character', async () => {
      for (const text of [
        '\u6f22\u5b57'.repeat(50_000),
        '\u{1f389}'.repeat(50_000),
        `a${'\u{1f389}'.repeat(50_000)}`,
      ]) {
        const body = partOf(await built({ text }), 'base64');
        expect(Math.max(...body.split('\r\n').map(({ length }) => length))).toBe(76);
        expect(Buffer.from(body, 'base64').toString()).toBe(text);
      }
    });

    it('has both parts when there is html too', async () => {
      const message = (await built({ html: '<p>hi</p>'.repeat(20_000), text: 'hi' })).toString();
      expect(message.match(/^Content-Type: .*$/gm)?.map((line) => line.slice(14).split(';')[0])).toEqual([
        'multipart/alternative',
        'text/plain',
        'text/html',
      ]);
    });

    it.each([
      ['quoted-printable', '.a\n= \u00fc'.repeat(1_000_000)],
      ['base64', '\u6f22\u5b57'.repeat(2_000_000)],
    ])('does not block the event loop while it encodes %s', async (_, text) => {
      const contentSize = Buffer.byteLength(text);
      const { all, longest } = await turnsOf(() => builder.build(email({ text, contentSize }), [], new Set()));
      expect(longest).toBeLessThan(all / 3);
    });

    it.each([
      ['text', { text: 'a='.repeat(31_000) }],
      ['html', { html: 'a='.repeat(15_000), text: 'a='.repeat(15_000) }],
    ])('encodes medium %s of several messages in turns of their own', async (_, content) => {
      const build = () => builder.build(email({ ...content, contentSize: 62_000 }), ['a@to.test'], new Set());
      const { all, longest } = await turnsOf(() => Promise.all(Array.from({ length: 10 }, build)));
      expect(longest).toBeLessThan(all / 4);
    });

    it('returns the size of a message in pieces', async () => {
      const text = 'words and words\r\n'.repeat(10_000);
      const { raw, size } = await builder.build(email({ text, contentSize: text.length }), ['a@to.test'], new Set());
      expect(Buffer.isBuffer(raw)).toBe(false);
      for (let time = 0; time < 2; time++) expect(await buffer(open(raw))).toHaveLength(size as number);
    });
  });

  describe('with a message as an attachment', () => {
    /** The attachment's part in both forms of the message. */
    async function partsOf(contentType: string, content: Buffer) {
      const reads = { count: 0 };
      const get = async () => {
        reads.count += 1;
        return Readable.from([content]);
      };
      const builder = new MessageBuilder({ get, put: async () => {} });
      const attachments = [
        { filename: 'a.eml', contentType, contentId: null, contentHash: 'hash', size: content.length },
      ];
      const { raw, raw7Bit } = await builder.build(email({ attachments }), ['a@to.test'], new Set());
      const read = async (one: () => Readable) => {
        const [, , part = ''] = (await buffer(one())).toString('latin1').split(/--\S*-Part_1\r\n/);
        return part.slice(0, part.lastIndexOf('\r\n--'));
      };
      return { part: await read(raw as () => Readable), part7Bit: raw7Bit && (await read(raw7Bit)), reads };
    }

    const MESSAGE = 'Subject: inner\r\n\r\nHello\r\n';

    it.each(['message/rfc822', 'message/delivery-status', 'Message/RFC822; x=y'])(
      'keeps %s unencoded',
      async (contentType) => {
        const { part, part7Bit } = await partsOf(contentType, Buffer.from(MESSAGE));
        expect(part).toMatch(/^Content-Type: message\//i);
        expect(part).toContain('Content-Transfer-Encoding: 7bit');
        expect(part.endsWith(`\r\n\r\n${MESSAGE}`)).toBe(true);
        expect(part7Bit).toBeUndefined();
      },
    );

    it('keeps one with bytes above 127 unencoded, and sends it as a file to a server without 8BITMIME', async () => {
      const content = Buffer.from(`${MESSAGE}Gr\u00fc\u00dfe\r\n`);
      const { part, part7Bit } = await partsOf('message/rfc822', content);
      expect(part).toContain('Content-Transfer-Encoding: 8bit');
      expect(part.endsWith(content.toString('latin1'))).toBe(true);
      expect(part7Bit).toMatch(/^Content-Type: application\/octet-stream; name=a\.eml\r\n/);
      expect(part7Bit).toContain('Content-Transfer-Encoding: base64');
      expect(part7Bit?.endsWith(content.toString('base64').slice(-20))).toBe(true);
    });

    it.each([
      ['message/rfc822', Buffer.from(`${MESSAGE}${'x'.repeat(999)}`)],
      ['message/rfc822', Buffer.from(`${MESSAGE}\0`)],
      ['message/delivery-status', Buffer.from('Reporting-MTA: dns; m\u00fcller')],
    ])('sends %s that cannot be unencoded as a file', async (contentType, content) => {
      const { part, part7Bit } = await partsOf(contentType, content);
      expect(part).toMatch(/^Content-Type: application\/octet-stream; name=a\.eml\r\n/);
      expect(part).toContain('Content-Transfer-Encoding: base64');
      expect(part7Bit).toBeUndefined();
    });

    it.each(['application/pdf', 'message/global'])('reads %s once, when it is sent', async (contentType) => {
      const { part, reads } = await partsOf(contentType, Buffer.from(MESSAGE));
      expect(part).toContain('Content-Transfer-Encoding: base64');
      expect(reads.count).toBe(1);
    });
  });
});
