import { ContractHost, invalid } from '../support/hosts/contract-host.js';
import { untilShown } from '../support/reading/deliveries.js';

const FIELDS = ['from', 'to', 'cc', 'bcc', 'reply_to'] as const;

/** Contract 2.1, mailboxes: strict RFC 5321, sent unchanged or refused. */
describe('mailboxes', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.share();
  });

  const all = (mailbox: string) => ({ from: mailbox, to: mailbox, cc: mailbox, bcc: mailbox, reply_to: mailbox });
  const label = 'a'.repeat(63);

  it.each([
    ['a bare address', 'a@b.test', '', 'a@b.test'],
    ['an address in angle brackets', '<a@b.test>', '', 'a@b.test'],
    ['a name', 'Name <a@b.test>', 'Name', 'a@b.test'],
    ['a quoted name with a comma', '"Name, Inc." <a@b.test>', 'Name, Inc.', 'a@b.test'],
    ['a name with a comma and no quotes', 'Name, Inc. <a@b.test>', 'Name, Inc.', 'a@b.test'],
    ['a name with other specials and no quotes', 'Doe: Jane (R; D.) <a@b.test>', 'Doe: Jane (R; D.)', 'a@b.test'],
    ['a quoted name with escapes', '"The \\"Best\\" \\\\" <a@b.test>', 'The "Best" \\', 'a@b.test'],
    ['a name in UTF-8', 'Jürgen 請求書 🦊 <a@b.test>', 'Jürgen 請求書 🦊', 'a@b.test'],
    ['a name with a dot and an apostrophe', "Dr. O'Neil <a@b.test>", "Dr. O'Neil", 'a@b.test'],
    ['a name of 800 characters', `${'n'.repeat(800)} <a@b.test>`, 'n'.repeat(800), 'a@b.test'],
    ['space around it', '  a@b.test ', '', 'a@b.test'],
    ['every character of an atom', "!#$%&'*+-/=?^_`{|}~@b.test", '', "!#$%&'*+-/=?^_`{|}~@b.test"],
    ['a quoted local part', '"a b"@b.test', '', '"a b"@b.test'],
    ['a local part of 64 octets', `${'a'.repeat(64)}@b.test`, '', `${'a'.repeat(64)}@b.test`],
    [
      '254 octets',
      `a@${label}.${label}.${label}.${'a'.repeat(60)}`,
      '',
      `a@${label}.${label}.${label}.${'a'.repeat(60)}`,
    ],
    ['capitals in the local part', 'First.Last+Tag@b.test', '', 'First.Last+Tag@b.test'],
    ['an internationalised domain, as A-labels', 'B <a@bücher.test>', 'B', 'a@xn--bcher-kva.test'],
    ['an internationalised domain in capitals', 'a@BÜCHER.例子', '', 'a@xn--bcher-kva.xn--fsqu00a'],
    ['A-labels', 'a@xn--bcher-kva.test', '', 'a@xn--bcher-kva.test'],
  ])('are accepted with %s, shown as written and sent correctly', async (_, mailbox, name, address) => {
    const { id, mail, message } = await api.deliver(all(mailbox));
    expect(message.envelope).toMatchObject({ from: address, to: [address] });
    expect(message.envelope.parameters).not.toContain('SMTPUTF8');
    expect(mail.from).toEqual({ name, address });
    for (const list of [mail.to, mail.cc, mail.replyTo]) expect(list).toEqual([{ name, address }]);
    expect(await api.record(id)).toMatchObject({
      from: mailbox,
      to: [mailbox],
      cc: [mailbox],
      bcc: [mailbox],
      reply_to: [mailbox],
    });
  });

  it('are accepted with a UTF-8 local part, sent by SMTPUTF8 and with the domain as A-labels', async () => {
    const { mail, message } = await api.deliver({
      from: 'Jürgen <jürgen@bücher.test>',
      to: 'δοκιμή@παράδειγμα.test',
    });
    expect(message.envelope).toMatchObject({
      from: 'jürgen@xn--bcher-kva.test',
      to: ['δοκιμή@xn--hxajbheg2az3al.test'],
    });
    expect(message.envelope.parameters).toContain('SMTPUTF8');
    expect(mail.from).toEqual({ name: 'Jürgen', address: 'jürgen@xn--bcher-kva.test' });
    expect(mail.to).toEqual([{ name: '', address: 'δοκιμή@xn--hxajbheg2az3al.test' }]);
  });

  it('are accepted with a UTF-8 local part in `reply_to` alone: SMTPUTF8 is requested for the header', async () => {
    const { mail, message } = await api.deliver({ reply_to: 'Jürgen <jürgen@bücher.test>' });
    expect(message.envelope.parameters).toContain('SMTPUTF8');
    expect(mail.replyTo).toEqual([{ name: 'Jürgen', address: 'jürgen@xn--bcher-kva.test' }]);
  });

  it.each(FIELDS)('are refused in `%s` with the position of the invalid one', async (field) => {
    const place = field === 'from' ? '`from`' : `\`${field}\\[1\\]\``;
    const value = field === 'from' ? 'a@b' : ['ok@b.test', 'a@b..c'];
    const rule = invalid(new RegExp(`^${place} must be one mailbox such as \`a@b\\.c\` or \`Name <a@b\\.c>\``));
    await api.refuse({ [field]: field === 'from' ? 'a@b..c' : value }, rule);
    await api.refuse({ [field]: field === 'from' ? 'a@b.c, d@e.f' : ['ok@b.test', 'a@b.c, d@e.f'] }, rule);
  });

  it.each<[string, string]>([
    ['a comma list', 'a@b.test, c@d.test'],
    ['a comma list without space', 'a@b.test,c@d.test'],
    ['a semicolon list', 'a@b.test;c@d.test'],
    ['two in angle brackets', 'A <a@b.test>, C <c@d.test>'],
    ['no @', 'a.b.test'],
    ['two @', 'a@b@c.test'],
    ['no local part', '@b.test'],
    ['no domain', 'a@'],
    ['nothing in angle brackets', 'Name <>'],
    ['space alone', ' '],
    ['a comment', 'a(comment)@b.test'],
    ['a comment for a name', 'a@b.test (Name)'],
    ['a group', 'Group: a@b.test;'],
    ['a route', '<@c.test:a@b.test>'],
    ['a lone quote', '"Name <a@b.test>'],
    ['a lone bracket', 'Name <a@b.test'],
    ['text behind', 'Name <a@b.test> x'],
    ['a name that needs quotes', 'The "Best" <a@b.test>'],
    ['two, of which one is in angle brackets', 'a@b.test, C <c@d.test>'],
    ['an encoded word', '=?utf-8?q?Name?= <a@b.test>'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['an IP address', 'a@127.0.0.1'],
    ['a port', 'a@b.test:25'],
    ['a dot at the edge of the local part', '.a@b.test'],
    ['two dots', 'a..b@c.test'],
    ['two dots in the domain', 'a@b..test'],
    ['a hyphen at the edge of a label', 'a@-b.test'],
    ['an underscore in the domain', 'a@b_c.test'],
    ['a full-width dot', 'a@b\uff0etest'],
    ['full-width letters', 'a@ｂ.test'],
    ['an invisible character', 'a\u200b@b.test'],
    ['a no-break space', 'a\u00a0@b.test'],
    ['A-labels that mean nothing', 'a@xn--a.test'],
    ['a local part of 65 octets', `${'a'.repeat(65)}@b.test`],
    ['a local part of 66 octets in 33 letters', `${'ü'.repeat(33)}@b.test`],
    ['255 octets', `a@${label}.${label}.${label}.${'a'.repeat(61)}`],
    ['a label of 64 octets', `a@a${label}.test`],
    ['a line break', 'a@b.test\r\nBcc: x@y.test'],
    ['a line break in a name', 'Na\nme <a@b.test>'],
    ['a tab in a name', 'Na\tme <a@b.test>'],
    ['a C1 control in a name', 'Na\x85me <a@b.test>'],
    ['DEL', 'a\x7f@b.test'],
    ['a bidi override in a name', 'Na\u202eme <a@b.test>'],
    ['a bidi isolate in a name', 'Na\u2067me <a@b.test>'],
    ['a right-to-left mark in an address', 'a\u200f@b.test'],
  ])('are refused with %s', async (_, mailbox) => {
    const rule = (field: string) => invalid(new RegExp(`^\`${field}\` must be one mailbox`));
    await api.refuse({ from: mailbox }, rule('from'));
    await api.refuse({ to: mailbox }, rule('to\\[0\\]'));
    await api.refuse({ to: ['ok@b.test'], bcc: ['ok@b.test', mailbox] }, rule('bcc\\[1\\]'));
  });

  it('sent no refused email', () => api.expectNothingElseSent());
});

describe('a UTF-8 local part, at a next hop without SMTPUTF8', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.start({ sink: { smtpUtf8: false } });
  });

  it.each([
    ['to', { to: 'jürgen@to.test' }],
    ['cc', { cc: 'jürgen@to.test' }],
    ['bcc', { bcc: 'jürgen@to.test' }],
    ['from', { from: 'jürgen@from.test' }],
    ['reply_to', { reply_to: 'jürgen@from.test' }],
  ])('in `%s` is a permanent failure with that reason', async (_, fields) => {
    const id = await api.accept(fields);
    await untilShown(api.host, id, 'bounced');
    const reasons = await api.host.query(
      `SELECT reason FROM nestjs_emails.events WHERE email_id = $1 AND type = 'bounced'`,
      [id],
    );
    expect(reasons.length).toBeGreaterThan(0);
    for (const { reason } of reasons) expect(reason).toContain('SMTPUTF8');
    expect(api.sink.offered.filter(({ raw }) => raw.includes(id))).toEqual([]);
  });

  it('does not delay UTF-8 names and internationalised domains', async () => {
    const { mail, message } = await api.deliver({ to: 'Jürgen <juergen@bücher.test>' });
    expect(message.envelope.to).toEqual(['juergen@xn--bcher-kva.test']);
    expect(mail.to).toEqual([{ name: 'Jürgen', address: 'juergen@xn--bcher-kva.test' }]);
    expect(message.raw.toString('latin1')).toMatch(/^[\0-\x7f]*$/);
  });
});
