import { extensionsOf } from './smtp-extensions.js';

it.each([
  ['SIZE', undefined],
  ['SIZE 0', undefined],
  ['SIZE 1000', 1_000],
  ['size  35882577', 35_882_577],
  ['SIZE -5', undefined],
  ['SIZE +5', undefined],
  ['SIZE 0x10', undefined],
  ['SIZE 1e1', undefined],
  ['SIZE 1.5', undefined],
  ['SIZE 10MB', undefined],
  ['SIZE Infinity', undefined],
  [`SIZE ${'9'.repeat(21)}`, undefined],
])('%j names the size %p', (line, maxSize) => {
  expect(extensionsOf([line])).toMatchObject({ size: true, maxSize });
});

it('recognises extensions by whole words, in any case', () => {
  expect(extensionsOf(['pipelining', '8BitMime', 'SMTPUTF8 x'])).toEqual({
    pipelining: true,
    smtpUtf8: true,
    eightBitMime: true,
    size: false,
    maxSize: undefined,
    startTls: false,
    dsn: false,
    auth: [],
  });
  expect(extensionsOf(['XPIPELINING', 'AUTH=8BITMIME'])).toMatchObject({ pipelining: false, eightBitMime: false });
});

it('reads TLS, delivery reports and mechanisms', () => {
  expect(extensionsOf(['STARTTLS', 'DSN', ' auth PLAIN  login XOAUTH2'])).toMatchObject({
    startTls: true,
    dsn: true,
    auth: ['PLAIN', 'LOGIN', 'XOAUTH2'],
  });
});

it.each([
  ['AUTH=LOGIN PLAIN', ['LOGIN', 'PLAIN']],
  ['AUTH PLAIN PLAIN', ['PLAIN']],
  ['AUTH', []],
  ['XAUTH PLAIN', []],
  ['AUTH SCRAM-SHA-256 D_1', ['SCRAM-SHA-256', 'D_1']],
  [`AUTH ${'A'.repeat(20)} ${'B'.repeat(21)}`, ['A'.repeat(20)]],
  ['AUTH PLA\0IN PL;AIN !PLAIN PLAIN!', []],
])('%j offers the mechanisms %j', (line, auth) => {
  expect(extensionsOf([line]).auth).toEqual(auth);
});

it('reads the mechanisms of both syntaxes once', () => {
  expect(extensionsOf(['AUTH PLAIN LOGIN', 'AUTH=LOGIN CRAM-MD5']).auth).toEqual(['PLAIN', 'LOGIN', 'CRAM-MD5']);
});
