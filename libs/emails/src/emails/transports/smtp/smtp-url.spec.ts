import { isSmtpUrl, mayRevealPassword, problemsOfTls, readSmtpUrl, tlsRuleOf } from './smtp-url.js';

it.each([
  ['smtp://u:p@mx.example', 'required', false],
  ['smtp://u:p@mx.example:587/?maxConnections=5', 'required', false],
  ['smtp://u:p@10.0.0.1', 'required', false],
  ['smtp://u:p@localhost.example', 'required', false],
  ['smtp://u:p@127.0.0.1.example', 'required', false],
  ['smtp://u:p@127.0.0.1', 'optional', false],
  ['smtp://u:p@127.8.8.8', 'optional', false],
  ['smtp://u:p@LOCALHOST:25', 'optional', false],
  ['smtp://u:p@mail.localhost', 'optional', false],
  ['smtp://u:p@[::1]:25', 'optional', false],
  ['smtp://mx.example', 'optional', false],
  ['smtp://mx.example?tls=required', 'required', false],
  ['smtp://u:p@mx.example?tls=optional', 'optional', true],
  ['smtp://u:p@mx.example?maxConnections=5&tls=none&name=a', 'none', true],
])('%s: TLS is %s', (url, rule, reveals) => {
  const read = readSmtpUrl(url);
  expect([problemsOfTls(read), tlsRuleOf(read), mayRevealPassword(read)]).toEqual([[], rule, reveals]);
});

it.each([
  ['smtp://mx.example?tls=requried', '`required`, `optional` or `none`'],
  ['smtp://mx.example?tls=', '`required`, `optional` or `none`'],
  ['smtp://mx.example?tls=none&tls=required', '`required`, `optional` or `none`'],
  ['smtps://mx.example?tls=none', 'smtps://'],
  ['smtps://mx.example?tls=optional', 'smtps://'],
])('%s is wrong', (url, said) => {
  expect(problemsOfTls(readSmtpUrl(url))).toEqual([expect.stringContaining(said)]);
});

it('leaves the rest of the URL unchanged', () => {
  const url =
    'smtps://me:se&tls=cret@mx.example:465/?tls=required&tls.servername=a&tls.minVersion=TLSv1.2&name=me.test';
  expect(isSmtpUrl(url)).toBe(true);
  expect(readSmtpUrl(url)).toEqual({
    auth: { user: 'me', pass: 'se&tls=cret' },
    tls: 'required',
    where: { secure: true, host: 'mx.example', port: 465 },
    query: { name: 'me.test', tls: { servername: 'a', minVersion: 'TLSv1.2' } },
  });
});

it.each([
  'smtp://user:1234?s3cret@host:587',
  'smtp://user:1234?a=1&s3cret=b@host:587',
  'smtp://user:1234?s3c:ret',
  'smtp://user:1234?s3cret%40host',
  'smtp://user:1234#s3cret@host:587',
  'smtp://user:1234/s3cret@host:587',
  'smtp://host/path',
  'smtp://host/?name=a#b',
])('refuses %s, whose end may belong to a password', (url) => {
  expect(isSmtpUrl(url)).toBe(false);
});

it.each(['smtp://host', 'smtp://host/', 'smtp://host?localAddress=::1', 'smtp://u:a%2Fb%3Fc%23d%40e@host/?name=a'])(
  'accepts %s',
  (url) => expect(isSmtpUrl(url)).toBe(true),
);
