import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { ContractHost, letter } from '../support/hosts/contract-host.js';
import { holds } from '../support/jest/property.js';
import { headerLines } from '../support/reading/mime.js';

/** Addresses that two parsers may read differently: RFC 5322 (obsolete syntax included), 5321, 6531. */
const TRICKS = [
  ...['a@b.test (c@d.test)', 'a@b.test(x)', '(x)a@b.test', 'a(x)@b.test', 'a@(x)b.test', 'a@b.test ,c@d.test'],
  ...['g:a@b.test;', 'g: a@b.test, c@d.test;', 'undisclosed-recipients:;', '<@x.test:a@b.test>'],
  ...['<@x.test,@y.test:a@b.test>', 'a@b.test, c@d.test', 'a@b.test;c@d.test', '<a@b.test><c@d.test>'],
  ...['<a@b.test> <c@d.test>', 'a@b.test <c@d.test>', '<c@d.test> a@b.test', '"a@b.test" c@d.test'],
  ...['a@b.test c@d.test', 'a@b.test\\, c@d.test', 'a@b.test%0ac@d.test', '"a@b.test"@c.test', '"a\\@b.test"@c.test'],
  ...['"a@b.test>, <c"@d.test', '"a,c"@b.test', '"a\\"@b.test', '"a"b@c.test', 'a@b.test@c.test', 'a%b.test@c.test@'],
  ...['@b.test', 'a@', 'a', '<>', '<a@b.test', 'a@b.test>', '<<a@b.test>>', 'a@b.test.', 'a@.b.test', 'a@b..test'],
  ...['a..b@c.test', '.a@b.test', 'a.@b.test', 'a @b.test', 'a@ b.test', 'a@b .test', 'a@b\u3002test', 'a@b\uff0etest'],
  ...['a@b\uff61test', 'a@b\u2024test', 'a@b\ufe52test', 'a@\u0338b.test', 'a\uff20b.test', 'a@\uff42.test'],
  ...['a@b.\u24e3est', 'a@xn--.test', 'a@xn--a.test', 'a@xn--80ak6aa92e.t\u200best', 'a@b.te\u00adst', 'a@\u2177.test'],
  ...['a@[127.0.0.1]', 'a@[IPv6:::1]', 'a@127.0.0.1', 'a@0x7f000001', 'a@2130706433', 'a@b.test:25', 'a@b.test/c'],
  ...['a@localhost SIZE=1', 'a@b.test> SIZE=1', 'a@b.test>\r\nRCPT TO:<c@d.test', 'a@b.test\tc', 'a\0@b.test'],
  ...['=?utf-8?q?a=40b.test?=', '=?utf-8?q?x?= <a@b.test>', '=?utf-8?q?a=40evil.test=3E?=@b.test'],
  ...['\u202ea@b.test', 'a@b.test\u2066'],
];

/**
 * RFC 5321, section 3.3: the envelope decides where mail goes, and it equals the posted addresses, or nothing is sent.
 */
describe('the envelope', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.share();
  });

  /** Posts an email to this mailbox; returns its recipients, or undefined when the mailbox is refused. */
  async function recipientsOf(mailbox: string, field: 'to' | 'cc' | 'bcc' = 'to'): Promise<string[] | undefined> {
    const fields = field === 'to' ? { to: [mailbox] } : { to: 'first@to.test', [field]: [mailbox] };
    const { status, body } = await api.host.request('POST', '/emails', { body: letter(fields) });
    if (status !== 200) {
      expect({ mailbox, status, name: body.name }).toEqual({ mailbox, status: 422, name: expect.any(String) });
      return undefined;
    }
    const { envelope } = await api.sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${String(body.id)}@`));
    expect(envelope.from).toBe('sender@from.test');
    return field === 'to' ? envelope.to : envelope.to.filter((address) => address !== 'first@to.test');
  }

  it.each(['to', 'cc', 'bcc'] as const)('adds no recipient by a trick in `%s`', async (field) => {
    const results = await Promise.all(TRICKS.map(async (trick) => [trick, await recipientsOf(trick, field)]));
    expect(results.filter(([, recipients]) => recipients !== undefined)).toEqual([]);
  });

  it('sets no sender by a trick', async () => {
    for (const trick of TRICKS) {
      const { status } = await api.host.request('POST', '/emails', { body: letter({ from: trick }) });
      expect([trick, status]).toEqual([trick, 422]);
    }
  });

  it('is exactly the posted address', async () => {
    const piece = fc.constantFrom(
      ...['a', 'b.c', '+', '"', '\\', '<', '>', '@', ',', ';', ':', '(', ')', '[', ']', ' ', '.', '%', '!', '=?', '?='],
      ...[
        'ü',
        '例',
        '\u3002',
        '\u200b',
        'xn--',
        'XN--BCHER-KVA',
        '-',
        '_',
        '0',
        '\t',
        '\u00a0',
        'ſ',
        'İ',
        'ß',
        '\u{1f98a}',
      ],
    );
    const local = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    const mailbox = fc.oneof(
      fc.tuple(local, local).map(([left, right]) => `${left}@${right}.test`),
      fc.tuple(local, local, local).map(([name, left, right]) => `${name} <${left}@${right}.test>`),
      fc.tuple(local, local, local).map(([name, left, right]) => `"${name}" <${left}@${right}.test>`),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    await holds(
      fc.asyncProperty(fc.array(mailbox, { minLength: 20, maxLength: 20 }), async (mailboxes) => {
        const results = await Promise.all(mailboxes.map(async (one) => [one, await recipientsOf(one)] as const));
        for (const [posted, recipients] of results) {
          if (recipients) expect([posted, recipients]).toEqual([posted, [writtenIn(posted)]]);
        }
      }),
      40,
    );
  });

  it.each([
    ['δοκιμή@παράδειγμα.test', 'δοκιμή@xn--hxajbheg2az3al.test'],
    ['用户@例子.test', '用户@xn--fsqu00a.test'],
    ['"जाँच परीक्षा"@उदाहरण.test', '"जाँच परीक्षा"@xn--p1b6ci4b4b3a.test'],
    ['user@faß.test', 'user@xn--fa-hia.test'],
    ['USER@BÜCHER.TEST', 'USER@xn--bcher-kva.test'],
    ['user@XN--BCHER-KVA.test', 'user@xn--bcher-kva.test'],
  ])('delivers or refuses an internationalised address: %s', async (mailbox, address) => {
    expect(await recipientsOf(mailbox)).toEqual([address]);
    const message = api.sink.messages.findLast(({ envelope }) => envelope.to[0] === address);
    expect(message?.envelope.parameters.includes('SMTPUTF8')).toBe(/[^\0-\x7f]/.test(address));
    const to = headerLines(message!.raw).find((line) => line.startsWith('To:')) ?? '';
    expect(Buffer.from(to, 'latin1').toString('utf8')).toContain(address);
  });

  it('went only to recipients of accepted emails', async () => {
    await api.deliver();
    const rows = await api.host.query<{ recipients: { address: string }[] }>(
      'SELECT recipients FROM nestjs_emails.deliveries',
    );
    const known = new Set(rows.flatMap(({ recipients }) => recipients.map(({ address }) => address)));
    const offered = api.sink.offered.flatMap(({ envelope }) => envelope.to);
    expect(offered.filter((address) => !known.has(address))).toEqual([]);
  });
});

/** Parsed by the simplest rule: the text in the last angle brackets, or else all of it. */
function writtenIn(mailbox: string): string {
  const text = mailbox.trim();
  const address = text.endsWith('>') ? text.slice(text.lastIndexOf('<') + 1, -1) : text;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
}
