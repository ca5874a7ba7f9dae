import { decodeWords } from 'postal-mime';
import { ContractHost, invalid, type Refusal } from '../support/hosts/contract-host.js';

/** Contract 2.1, `headers`. */
describe('headers', () => {
  let api: ContractHost;

  beforeAll(async () => {
    api = await ContractHost.share();
  });

  it.each([
    ['X-Entity-Ref-ID', '123456789'],
    ['List-Unsubscribe', '<https://from.test/u?a=1&b=2>, <mailto:u@from.test?subject=out>'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['In-Reply-To', '<first@from.test>'],
    ['References', '<first@from.test> <second@from.test>'],
    ['Auto-Submitted', 'auto-generated'],
    ['X-Priority', '1 (Highest)'],
    ['X-UTF-8', 'Grüße – 請求書 🦊'],
    ['X-Quotes', '"quoted" \\ back; <a>, (comment) = ? %20'],
    ['X-Looks-Like-Another', 'Bcc: x@to.test'],
    ['X', 'one letter'],
    ["!#$%&'*+-^_`{|}~.09", 'every kind of character in a name'],
    [`X-${'Long-'.repeat(40)}Name`, 'a name of 206 characters'],
    ['constructor', 'a name of a property of all objects'],
    ['toString', 'another'],
    ['contents', 'only starts like content-'],
    ['arc', 'only starts like arc-'],
    ['X-998-Words', 'word '.repeat(200).slice(0, 997).concat('.')],
    ['X-998-Letters', 'x'.repeat(998)],
    ['X-998-Octets', 'ü'.repeat(499)],
  ])('`%s` arrives unchanged', async (name, value) => {
    const { mail, message } = await api.deliver({ headers: { [name]: value } });
    const found = mail.headers.filter(({ key }) => key === name.toLowerCase());
    expect(found.map((header) => decodeWords(header.value))).toEqual([value]);
    expect(longestLine(message.raw)).toBeLessThanOrEqual(998);
  });

  it('accept numbers, which arrive unchanged', async () => {
    const { mail } = await api.deliver({ headers: { 'X-Count': 42, 'X-Rate': -0.5 } });
    const values = ['x-count', 'x-rate'].map((name) => mail.headers.find(({ key }) => key === name)?.value);
    expect(values).toEqual(['42', '-0.5']);
  });

  it('accept up to 100 fields', async () => {
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`X-Field-${at}`, `value ${at}`]));
    const { mail } = await api.deliver({ headers });
    const arrived = mail.headers.filter(({ key }) => key.startsWith('x-field-'));
    expect(arrived.map(({ value }) => value).sort()).toEqual(Object.values(headers).sort());
    await api.refuse({ headers: { ...headers, 'X-Field-100': 'x' } }, invalid(/^`headers` .*100/));
  });

  it.each([
    ...['bcc', 'cc', 'to', 'from', 'sender', 'reply-to', 'subject', 'date', 'message-id', 'return-path', 'received'],
    ...['dkim-signature', 'x-email-ref', 'arc-seal', 'arc-message-signature', 'authentication-results', 'mime-version'],
    ...['content-type', 'content-transfer-encoding', 'content-id', 'resent-to', 'resent-bcc'],
    ...['BCC', 'Message-ID', 'CONTENT-disposition'],
  ])('refuse `%s`: the system owns it', async (name) => {
    await api.refuse({ headers: { 'X-Ok': 'ok', [name]: 'x' } }, invalid(new RegExp(`^\`headers\` .*\`${name}\``)));
  });

  const nameRule = invalid(/^`headers` .*names/);
  const valueRule = (rule: RegExp) => invalid(new RegExp(`^\`headers\\.X-A\` .*${rule.source}`));

  it.each<[string, Record<string, unknown>, Refusal]>([
    ['an empty name', { '': 'x' }, nameRule],
    ['a colon in a name', { 'X-A:': 'x' }, nameRule],
    ['a space in a name', { 'X A': 'x' }, nameRule],
    ['a space behind a name', { 'Bcc ': 'x' }, nameRule],
    ['a line break in a name', { 'X-A\r\nBcc': 'x' }, nameRule],
    ['a letter outside ASCII in a name', { 'X-Ä': 'x' }, nameRule],
    ['DEL in a name', { 'X-\x7f': 'x' }, nameRule],
    ['a name twice', { 'X-A': 'x', 'x-a': 'y' }, invalid(/^`headers` .*twice/)],
    ['true', { 'X-A': true }, valueRule(/string or a finite number/)],
    ['null', { 'X-A': null }, valueRule(/string/)],
    ['a list', { 'X-A': ['x'] }, valueRule(/string/)],
    ['raw lines in the form of nodemailer', { 'X-A': { prepared: true, value: 'x\r\nBcc: y' } }, valueRule(/string/)],
    ['CRLF', { 'X-A': 'x\r\nBcc: y@to.test' }, valueRule(/control/)],
    ['a folded line', { 'X-A': 'x\r\n y' }, valueRule(/control/)],
    ['a line feed', { 'X-A': 'x\n' }, valueRule(/control/)],
    ['a carriage return', { 'X-A': 'x\ry' }, valueRule(/control/)],
    ['a tab', { 'X-A': 'x\ty' }, valueRule(/control/)],
    ['a C1 control', { 'X-A': 'x\x85y' }, valueRule(/control/)],
    ['NUL', { 'X-A': 'x\0' }, valueRule(/NUL/)],
    ['an encoded word', { 'X-A': '=?utf-8?b?eA==?=' }, valueRule(/encoded/)],
    ['999 octets', { 'X-A': 'x'.repeat(999) }, valueRule(/998/)],
    ['1,000 octets in 500 characters', { 'X-A': 'ü'.repeat(500) }, valueRule(/998/)],
  ])('refuse %s', async (_, headers, refusal) => {
    await api.refuse({ headers }, refusal);
  });

  it('sent no refused email', () => api.expectNothingElseSent());
});

function longestLine(raw: Buffer): number {
  return Math.max(
    ...raw
      .toString('latin1')
      .split('\r\n')
      .map(({ length }) => length),
  );
}
