import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { growth, LINEAR } from '../work/growth.spec-tools.js';
import { type Mailbox, parseMailbox } from './mailbox.js';
import { MailboxSyntaxError } from './mailbox-syntax-error.js';

const label63 = 'a'.repeat(63);

describe('parseMailbox', () => {
  it.each([
    ['a@b.c', '', 'a@b.c'],
    ['  a@b.c\t', '', 'a@b.c'],
    ['<a@b.c>', '', 'a@b.c'],
    ['Name <a@b.c>', 'Name', 'a@b.c'],
    ['Name<a@b.c>', 'Name', 'a@b.c'],
    ['"Name, Inc." <a@b.c>', 'Name, Inc.', 'a@b.c'],
    ['"" <a@b.c>', '', 'a@b.c'],
    ['"a <b@c.d>" <a@b.c>', 'a <b@c.d>', 'a@b.c'],
    ['"The \\"Best\\" \\\\ one" <a@b.c>', 'The "Best" \\ one', 'a@b.c'],
    ['Acme Inc. <a@b.c>', 'Acme Inc.', 'a@b.c'],
    ["Conan O'Brien & Sons [EU] <a@b.c>", "Conan O'Brien & Sons [EU]", 'a@b.c'],
    ['Name, Inc. <a@b.c>', 'Name, Inc.', 'a@b.c'],
    ['Re: x <a@b.c>', 'Re: x', 'a@b.c'],
    ['Doe, Jane (Acme; R&D) <a@b.c>', 'Doe, Jane (Acme; R&D)', 'a@b.c'],
    ['Smith,J.<a@b.c>', 'Smith,J.', 'a@b.c'],
    ['Jörg Müller <a@b.c>', 'Jörg Müller', 'a@b.c'],
    ['山田 太郎 🎉 <a@b.c>', '山田 太郎 🎉', 'a@b.c'],
    ['Many   spaces <a@b.c>', 'Many spaces', 'a@b.c'],
  ])('reads %j', (text, name, address) => {
    expect(parseMailbox(text)).toEqual({ name, address, envelope: address, needsSmtpUtf8: false });
  });

  it.each([
    ['Ada.L+tag@Example.COM', 'Ada.L+tag@example.com', false],
    ["!#$%&'*+/=?^_`{|}~-@b.c", "!#$%&'*+/=?^_`{|}~-@b.c", false],
    ['a@localhost', 'a@localhost', false],
    ['a@1and1.example', 'a@1and1.example', false],
    ['"john doe"@b.c', '"john doe"@b.c', false],
    ['"a..b."@b.c', '"a..b."@b.c', false],
    ['a@bücher.example', 'a@xn--bcher-kva.example', false],
    ['a@BÜCHER.example', 'a@xn--bcher-kva.example', false],
    ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example', false],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example', false],
    ['a@Bücher.xn--bcher-kva.Example', 'a@xn--bcher-kva.xn--bcher-kva.example', false],
    ['a@ΑΣ.gr', 'a@xn--mxa0b.gr', false],
    ['a@faß.de', 'a@xn--fa-hia.de', false],
    ['a@例子.测试', 'a@xn--fsqu00a.xn--0zwm56d', false],
    ['jörg@bücher.example', 'jörg@xn--bcher-kva.example', true],
    ['用户@例子.测试', '用户@xn--fsqu00a.xn--0zwm56d', true],
    [`${'a'.repeat(64)}@b.c`, `${'a'.repeat(64)}@b.c`, false],
    [
      `a@${label63}.${label63}.${label63}.${'a'.repeat(60)}`,
      `a@${label63}.${label63}.${label63}.${'a'.repeat(60)}`,
      false,
    ],
  ])('has %j in the envelope', (address, envelope, needsSmtpUtf8) => {
    expect(parseMailbox(address)).toEqual({ name: '', address, envelope, needsSmtpUtf8 });
  });

  it.each([
    ['nothing', ''],
    ['only space', ' \t '],
    ['no address', 'Name'],
    ['an empty address', 'Name <>'],
    ['text after the address', 'Name <a@b.c> x'],
    ['a lone >', 'a@b.c>'],
    ['a lone <', '<a@b.c'],
    ['space in the angle brackets', 'Name < a@b.c >'],
    ['two with a comma', 'a@b.c, d@e.f'],
    ['two with a comma and no space', 'a@b.c,d@e.f'],
    ['two with a semicolon', 'a@b.c;d@e.f'],
    ['two with a space', 'a@b.c d@e.f'],
    ['two in angle brackets', 'A <a@b.c>, B <d@e.f>'],
    ['two in angle brackets without a comma', '<a@b.c> <d@e.f>'],
    ['two with a quoted name', '"A" <a@b.c>, "B" <d@e.f>'],
    ['an address as a name', 'a@b.c <d@e.f>'],
    ['doubled angle brackets', 'Name <<a@b.c>>'],
    ['two @', 'a@b@c.d'],
    ['no local part', '@b.c'],
    ['no domain', 'a@'],
    ['a comment', 'a(comment)@b.c'],
    ['a comment behind', 'a@b.c (comment)'],
    ['a name of punctuation alone', ', <a@b.c>'],
    ['a comment alone as a name', '(;) <a@b.c>'],
    ['a name with a backslash', 'Name\\, Inc. <a@b.c>'],
    ['an empty address before', '<>, B <a@b.c>'],
    ['two with a comma, of which one is in angle brackets', 'a@b.c, D <d@e.f>'],
    ['two with a semicolon, of which one is in angle brackets', 'Name; a@b.c; D <d@e.f>'],
    ['a group of one', 'Group: A <a@b.c>;'],
    ['a group', 'Group: a@b.c;'],
    ['an empty group', 'undisclosed-recipients:;'],
    ['a route', '<@evil.example:a@b.c>'],
    ['a percent route stays one address, but not with a second @', 'a%b@c@d'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['an IPv6 literal', 'a@[IPv6:::1]'],
    ['a bare IPv4 address', 'a@127.0.0.1'],
    ['a short IPv4 address', 'a@127.1'],
    ['a number', 'a@2130706433'],
    ['a hexadecimal number', 'a@0x7f000001'],
    ['an unbalanced quote', '"Name <a@b.c>'],
    ['an unbalanced quote behind', 'Name" <a@b.c>'],
    ['a quote in a name', 'The "Best" <a@b.c>'],
    ['an escaped last quote', '"Name\\" <a@b.c>'],
    ['an escape of nothing special', '"Na\\me" <a@b.c>'],
    ['text behind a quoted name', '"Name" x <a@b.c>'],
    ['an encoded word as a name', '=?utf-8?q?Name?= <a@b.c>'],
    ['an encoded word in quotes', '"=?utf-8?B?TmFtZQ==?=" <a@b.c>'],
    ['an encoded word as a local part', '=?utf-8?q?x?=@b.c'],
    ['a leading dot', '.a@b.c'],
    ['a trailing dot', 'a.@b.c'],
    ['two dots', 'a..b@c.d'],
    ['space in the local part', 'a b@c.d'],
    ['an unbalanced quoted local part', '"a@b.c'],
    ['a quoted local part with @', '"a@evil.example"@b.c'],
    ['a quoted local part with an escape', '"a\\"b"@c.d'],
    ['a quoted local part with >', '"a>"@b.c'],
    ['a quoted local part with a comma', '"a,b"@c.d'],
    ['a quoted local part with space at its end', '"a "@b.c'],
    ['an empty quoted local part', '""@b.c'],
    ['a half-quoted local part', 'a."b"@c.d'],
    ['a dot before the domain', 'a@.b.c'],
    ['a dot behind the domain', 'a@b.c.'],
    ['two dots in the domain', 'a@b..c'],
    ['a hyphen before a label', 'a@-b.c'],
    ['a hyphen behind a label', 'a@b-.c'],
    ['an underscore in the domain', 'a@b_c.d'],
    ['a port', 'a@b.c:25'],
    ['a percent code in the domain', 'a@%65xample.com'],
    ['a slash in the domain', 'a@b.c/d'],
    ['U+3002 for a dot', 'a@b\u3002c'],
    ['U+FF0E for a dot', 'a@b\uff0ec'],
    ['U+FF61 for a dot', 'a@b\uff61c'],
    ['U+2024 for a dot', 'a@b\u2024c'],
    ['full-width letters', 'a@ｅxample.com'],
    ['a full-width @', 'a＠b.c'],
    ['full-width letters next to an umlaut', 'a@ｅxämple.com'],
    ['U+2026 for three dots', 'a@b\u2026c'],
    ['U+2488 for a digit and a dot', 'a@\u2488c'],
    ['a ligature', 'a@o\ufb03ce.com'],
    ['a capital sharp s, which is mapped to ss', 'a@fa\u1e9e.de'],
    ['a soft hyphen', 'a@exa\u00admple.com'],
    ['a zero-width space in the domain', 'a@exa\u200bmple.com'],
    ['a mix of directions', 'a@אa.com'],
    ['A-labels that do not decode', 'a@xn--a.de'],
    ['A-labels in an unusual encoding', 'a@xn---fkq.com'],
    ['A-labels that decode to ASCII', 'a@xn--abc-.de'],
    ['A-labels that decode to a hyphen at the edge', 'a@xn----eha.de'],
    ['an internationalised label with a hyphen at the edge', 'a@-ü.de'],
    ['a zero-width space in the local part', 'a\u200bb@c.d'],
    ['a no-break space in the local part', 'a\u00a0b@c.d'],
    ['a soft hyphen in the local part', 'a\u00adb@c.d'],
    ['a byte order mark', '\ufeffa@b.c'],
    ['a line break', 'a@b.c\r\nBcc: x@y.z'],
    ['a line break in a name', 'Na\nme <a@b.c>'],
    ['a carriage return at the end', 'a@b.c\r'],
    ['a tab in a name', 'Na\tme <a@b.c>'],
    ['NUL', 'a\0@b.c'],
    ['DEL', 'a\x7f@b.c'],
    ['a C1 control', 'a\x85@b.c'],
    ['a bidi override in a name', 'Na\u202eme <a@b.c>'],
    ['a bidi isolate in a name', 'Na\u2066me <a@b.c>'],
    ['a right-to-left mark in an address', 'a\u200f@b.c'],
    ['an Arabic letter mark', '\u061cName <a@b.c>'],
    ['a line separator', 'Na\u2028me <a@b.c>'],
    ['half of a surrogate pair', 'Na\ud83dme <a@b.c>'],
    ['a local part of 65 octets', `${'a'.repeat(65)}@b.c`],
    ['a local part of 33 two-octet characters', `${'ü'.repeat(33)}@b.c`],
    ['a label of 64 octets', `a@${'a'.repeat(64)}.c`],
    ['a label that has 64 octets as an A-label', `a@${'ü'.repeat(59)}.c`],
    ['255 octets', `a@${label63}.${label63}.${label63}.${'a'.repeat(61)}`],
    ['255 octets as written', `a@${'例'.repeat(30)}.${'例'.repeat(30)}.${'例'.repeat(24)}`],
    ['255 octets as A-labels', `a@${'ü.'.repeat(30)}${label63}.${label63}`],
    ['a text of 901 characters', `${'a'.repeat(894)} <a@b.c>`],
  ])('refuses %s', (_what, text) => {
    expect(() => parseMailbox(text)).toThrow(MailboxSyntaxError);
  });

  it.each([
    ['a@b.c, d@e.f', /one mailbox per string/],
    ['The "Best" <a@b.c>', /double quotes/],
    ['A <a@b.c>, B <d@e.f>', /Only one mailbox/],
    ['"Name <a@b.c>', /do not match/],
    ['Name', /no `@`/],
    ['a@b..c', /two in a row/],
    ['a@b\uff0ec', /looks like a dot/],
    ['a@127.0.0.1', /not an IP address/],
    ['a@b_c.d', /letters, digits, hyphens/],
    [`a@${'ü.'.repeat(200)}`, /longer than 254 octets/],
  ])('explains the refusal of %j', (text, reason) => {
    expect(() => parseMailbox(text)).toThrow(reason);
  });

  it('shows a valid form and does not quote the given text', () => {
    expect(() => parseMailbox('secret" name <canary@example.com>')).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/secret|canary/) }),
    );
  });

  const hostilePieces = ['a', ' ', '.', '"', '\\"', '(', '<', '@', 'a.', '=?', 'ü', '\t'];

  it.each(hostilePieces)('refuses a long text of %j for its length alone', (piece) => {
    expect(() => parseMailbox(piece.repeat(5_000_000))).toThrow('900 characters together');
  });

  it('takes linear time for the longest hostile texts', () => {
    const read = (length: number) => {
      for (const piece of hostilePieces) {
        const text = piece.repeat(length / piece.length);
        // Often enough to be measurable.
        for (let time = 0; time < 100; time++) {
          for (const hostile of [text, `"${text}`.slice(0, -1), `${text.slice(0, -8)} <a@b.c>`]) parsed(hostile);
        }
      }
    };
    expect(growth(read, 56)).toBeLessThan(LINEAR);
  });

  it('throws only its own error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), hostileText), (text) => {
        try {
          parseMailbox(text);
        } catch (error) {
          expect(error).toBeInstanceOf(MailboxSyntaxError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts only what a built message carries unchanged', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(mailboxText, hostileText), async (text) => {
        const mailbox = parsed(text);
        if (mailbox === undefined) return;
        accepted++;
        await expectUnchanged(mailbox);
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

/** Pieces with a meaning for some parser, in any order. */
const hostileText = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b.c',
        '@',
        '<',
        '>',
        '"',
        '\\',
        '(',
        ')',
        ',',
        ';',
        ':',
        ' ',
        '  ',
        '\t',
        '.',
        '-',
        '[',
        ']',
        "'",
        '%',
        '!',
      ],
      ...[
        'ü',
        '例',
        '👨‍👩‍👧',
        '\u3002',
        '\u200b',
        '\u202e',
        '\ud800',
        '\r\n',
        '\0',
        '\x7f',
        'xn--',
        'xn--tda',
        '127.1',
        '=?utf-8?q?x?=',
      ],
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const printable = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), hostileText);

/** Mostly valid: any name with or without quotes, and an address of likely parts. */
const mailboxText = fc
  .record({
    name: printable,
    quoted: fc.boolean(),
    local: fc.oneof(
      fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,20}$/),
      fc.stringMatching(/^"[a-z. ]{1,9}"$/),
      printable,
    ),
    domain: fc.oneof(fc.domain(), fc.constantFrom('bücher.example', 'ÀB.de', '例子.测试', 'xn--bcher-kva.DE', 'b')),
  })
  .map(({ name, quoted, local, domain }) => {
    const written = quoted ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
    return name === '' ? `${local}@${domain}` : `${written} <${local}@${domain}>`;
  });

function parsed(text: string): Mailbox | undefined {
  try {
    return parseMailbox(text);
  } catch {
    return undefined;
  }
}

async function expectUnchanged({ name, envelope, needsSmtpUtf8 }: Mailbox): Promise<void> {
  const mailbox = { name, address: envelope };
  const message = new MailComposer({ from: mailbox, to: [mailbox], text: 'x' }).compile();
  const sent = message.getEnvelope();
  const email = await PostalMime.parse(await message.build());

  // With a UTF-8 local part nodemailer writes the domain in UTF-8 too.
  const canonical = (address: string | undefined): string | undefined =>
    needsSmtpUtf8 ? address?.replace(/[^@]*$/, domainToASCII) : address;
  expect({ from: canonical(sent.from || ''), to: sent.to.map(canonical) }).toEqual({ from: envelope, to: [envelope] });
  expect(email.headers.filter(({ key }) => ['from', 'to', 'cc', 'bcc'].includes(key))).toHaveLength(2);
  for (const list of [[email.from], email.to]) {
    expect(list?.map((entry) => ({ ...entry, address: canonical(entry?.address) }))).toEqual([
      { name, address: envelope },
    ]);
  }
}
