import { Test } from '@nestjs/testing';
import type { NumberPath } from '../shared/options/number-rules.js';
import { EmailsTestingModule } from '../testing/emails-testing.module.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import { EmailsModule } from './emails.module.js';
import type { EmailsModuleExtras, EmailsOptions } from './emails.options.js';
import { EMAILS_OPTIONS } from './emails.tokens.js';
import { SmtpTransport } from './transports/smtp/smtp-transport.js';
import type { SmtpTransportOptions } from './transports/smtp/smtp-transport.options.js';

/** Range of an option's values. */
type Range = readonly [least: number, largest: number];

const TIMER = 2_147_483_647;
const DAY = 86_400_000;
const CENTURY = 36_500 * DAY;

/** A new option without a row here does not compile. */
const OPTIONS: Record<NumberPath<EmailsOptions>, Range> = {
  'http.bodyLimit': [1, 500_000_000],
  'http.messageLimit': [1, 500_000_000],
  'fetch.ports': [1, 65_535],
  'fetch.timeout': [1, TIMER],
  'fetch.requestTimeout': [1, TIMER],
  'links.lifetime': [60_000, 7 * DAY],
  'idempotency.retention': [1, CENTURY],
  'retention.content': [1, CENTURY],
  'retention.events': [1, CENTURY],
  'delivery.concurrency': [1, 10_000],
  'delivery.destinationConcurrency': [1, 10_000],
  'delivery.retrySchedule': [1, CENTURY],
  'delivery.lease': [1_000, DAY],
  'delivery.sweepInterval': [1, DAY],
  'delivery.shutdownTimeout': [0, TIMER],
};
const EXTRAS: Record<NumberPath<EmailsModuleExtras>, Range> = { queueShards: [1, 64] };
const SMTP: Record<NumberPath<Omit<SmtpTransportOptions, 'tls'>>, Range> = {
  maxConnections: [1, 10_000],
  maxMessagesPerConnection: [1, 1_000_000_000],
  idleTimeout: [1, TIMER],
  connectionTimeout: [1, TIMER],
  greetingTimeout: [1, TIMER],
  socketTimeout: [1, TIMER],
  messageTimeout: [1, TIMER],
};

const LISTS = ['fetch.ports', 'delivery.retrySchedule'];

const wrongValues = ([least, largest]: Range): unknown[] =>
  [
    ...(least > 0 ? [0] : []),
    ...[-1, 1.5, least - 1, largest + 1, -largest, 2 ** 31, 2 ** 53, 1e21, Number.MAX_VALUE],
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '5', '', true, {}, 5n, Symbol('5'), () => 5],
  ].filter((value) => !(Number.isInteger(value) && (value as number) >= least && (value as number) <= largest));

/** `{delivery: {lease: value}}` for `delivery.lease`. */
function optionsWith(path: string, value: unknown): object {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

const ports = { accountResolver: { resolve: () => ({ accountId: 'a', permission: 'full_access' as const }) } };
class Guard {
  canActivate = () => true;
}
const transport = new RecordingTransport();
const forRoot = (part: object) => EmailsModule.forRoot({ ...ports, transport, guards: [Guard], ...part });

/** The checked options that the factory of `forRootAsync` returned. */
async function made(extras: Pick<EmailsModuleExtras, 'guards'>, options: unknown): Promise<unknown> {
  const { providers } = EmailsModule.forRootAsync({ ...extras, useFactory: () => options as EmailsOptions });
  const provider = providers?.find((entry) => (entry as { provide?: unknown }).provide === EMAILS_OPTIONS);
  return (provider as { useFactory: () => Promise<unknown> }).useFactory();
}

const cases: (readonly [name: string, range: Range, start: (value: unknown) => unknown])[] = [
  ...Object.entries(OPTIONS).map(([path, range]) => {
    const isList = LISTS.includes(path);
    const start = (value: unknown) => forRoot(optionsWith(path, isList ? [range[0], value] : value));
    return [isList ? `${path}[1]` : path, range, start] as const;
  }),
  ...Object.entries(EXTRAS).map(
    ([path, range]) => [path, range, (value: unknown) => forRoot({ [path]: value })] as const,
  ),
  ...Object.entries(SMTP).map(
    ([path, range]) =>
      [path, range, (value: unknown) => new SmtpTransport({ url: 'smtp://localhost', [path]: value })] as const,
  ),
];

describe('options for links', () => {
  const KEY = 'k'.repeat(32);

  it('may be secrets of 32 characters, and an address', () => {
    for (const publicUrl of ['https://mail.example.com', 'http://127.0.0.1:3000/', 'http://[::1]:80/api/v1']) {
      expect(() => forRoot({ secretKeys: [KEY, KEY], publicUrl })).not.toThrow();
    }
    expect(() => forRoot({ secretKeys: [] })).not.toThrow();
  });

  it('is refused by name for other values, which are not repeated', () => {
    const short = KEY.slice(1);
    expect(() => forRoot({ secretKeys: [KEY, short] })).toThrow(
      '`secretKeys[1]` must have 32 characters or more (got 31)',
    );
    expect(() => forRoot({ secretKeys: [KEY, short] })).not.toThrow(short);
    expect(() => forRoot({ secretKeys: KEY })).toThrow('`secretKeys` must be a list');
    for (const publicUrl of [
      'mail.example.com',
      'ftp://a.test',
      'https://user:canary@a.test',
      'https://a.test/?q',
      'https://a.test/#f',
      "https://a.test/'; script-src *",
      'https://a.test/a b',
      'https://a.test:99999',
      '//a.test',
      '',
      5,
    ]) {
      expect(() => forRoot({ publicUrl })).toThrow('`publicUrl` must be a URL such as `https://mail.example.com`');
    }
  });
});

describe('numbers among the options', () => {
  it.each(cases)('%s may be from its smallest to its largest value, or absent', (_, [least, largest], start) => {
    for (const value of [least, least + 1, largest - 1, largest]) expect(() => start(value)).not.toThrow();
  });

  it.each([...Object.keys(OPTIONS), ...Object.keys(EXTRAS)])('%s may be absent', (path) => {
    expect(() => forRoot(optionsWith(path, undefined))).not.toThrow();
  });

  it.each(cases)('%s is refused by name for other values, with the allowed range', (name, range, start) => {
    for (const value of wrongValues(range)) {
      expect(() => start(value)).toThrow(`\`${name}\` must be a whole number`);
      expect(() => start(value)).toThrow(`from ${range[0]} to ${range[1]}`);
    }
  });

  it.each([...Object.keys(OPTIONS), ...Object.keys(EXTRAS)])('%s is not null', (path) => {
    expect(() => forRoot(optionsWith(path, null))).toThrow(`\`${path}\` must be`);
  });

  it('are all named when several are wrong, and texts are not repeated', () => {
    const wrong = { delivery: { concurrency: 0, retrySchedule: [1, -1, Number.NaN] }, http: { bodyLimit: 'canary' } };
    const refused = () => forRoot(wrong);
    expect(refused).toThrow(/`http\.bodyLimit`.*`delivery\.concurrency`.*\[1\].*\[2\]/);
    expect(refused).toThrow(/\(got a string\)/);
    expect(refused).not.toThrow(/canary/);
  });

  it('may be empty lists: no port is asked, no attempt is repeated', () => {
    expect(() => forRoot({ fetch: { ports: [] }, delivery: { retrySchedule: [] } })).not.toThrow();
    // biome-ignore lint/suspicious/noSparseArray: a host may pass this
    expect(() => forRoot({ delivery: { retrySchedule: [1, , 2] } })).toThrow(/retrySchedule\[1\]/);
  });

  it('are checked too when a factory makes the options, and in the testing module', async () => {
    const lease = { delivery: { lease: -1 } };
    await expect(made({ guards: [Guard] }, { ...ports, transport, ...lease })).rejects.toThrow(
      /`delivery\.lease` must be/,
    );
    expect(() => EmailsTestingModule.register({ idempotency: { retention: 0 } })).toThrow(/idempotency\.retention/);
  });
});

describe('numbers in the query of an SMTP URL', () => {
  const open = (query: string) => new SmtpTransport({ url: `smtp://me:canary@localhost/?${query}` });

  it.each(Object.keys(SMTP))('%s follows the same rule', (name) => {
    expect(() => open(`${name}=1000`)).not.toThrow();
    for (const value of ['0', '-1', '1.5', 'NaN', 'abc', '1e400', '', '2147483648000', `5&${name}=6`]) {
      expect(() => open(`${name}=${value}`)).toThrow(`\`${name}`);
      expect(() => open(`${name}=${value}`)).not.toThrow(/canary/);
    }
  });

  it('are overridden by options next to the URL', () => {
    expect(() => new SmtpTransport({ url: 'smtp://localhost/?maxConnections=0', maxConnections: 1 })).not.toThrow();
    const absent: object = { maxConnections: undefined };
    expect(() => new SmtpTransport({ url: 'smtp://localhost/?maxConnections=0', ...absent })).toThrow();
  });
});

describe('options', () => {
  it.each<[string, object, string]>([
    ['an unknown name', { transprot: 1 }, '`transprot` is no option; did you mean `transport`?'],
    ['one below another', { delivery: { concurency: 1 } }, 'did you mean `delivery.concurrency`?'],
    ['a name without a similar one', { zzz: 1 }, '`zzz` is no option.'],
    ['no transport', { transport: undefined }, '`transport` is missing: it is how emails leave'],
    [
      'a transport without its methods',
      { transport: { hop: 'relay', send: () => {} } },
      'lacks the method `verify`, `close`',
    ],
    [
      'a transport without a hop',
      { transport: { ...noop('send', 'verify', 'close') } },
      '`transport.hop` must be `final` or `relay`',
    ],
    ['an URL for a transport', { transport: 'smtp://me:canary@x' }, '`transport` must be a transport, such as'],
    [
      'no resolver',
      { accountResolver: undefined },
      '`accountResolver` is missing: it resolves the account of a request',
    ],
    [
      'a resolver that is a function',
      { accountResolver: () => {} },
      '`accountResolver` must be an account resolver (got a function)',
    ],
    ['no guards', { guards: [] }, '`guards` has no guards, so that anybody could use the routes'],
    ['invalid guards', { guards: ['canary'] }, '`guards[0]` must be a guard (got a string)'],
    ['an unknown role', { role: 'canary' }, '`role` must be `all`, `api` or `worker` (got a string)'],
    ['no shards', { queueShards: 0 }, '`queueShards` must be a whole number from 1 to 64 (got 0)'],
    ['a data source for its name', { dataSource: {} }, '`dataSource` must be a text (got an object)'],
    ['a text for a flag', { preparedStatements: 'false' }, '`preparedStatements` must be true or false (got a string)'],
    ['an unknown choice', { delivery: { onUnknown: 'canary' } }, '`delivery.onUnknown` must be `retry` or `hold`'],
    [
      'a name with an address that gets mail',
      { delivery: { onlyTo: ['example.org', 'Me <me@example.net>'] } },
      '`delivery.onlyTo[1]` must be an address such as `me@example.net`, or a domain such as `example.org`. Leave out the name',
    ],
    [
      'subdomains that get mail',
      { delivery: { onlyTo: ['*.example.org'] } },
      '`delivery.onlyTo[0]` must be an address such as `me@example.net`, or a domain',
    ],
    ['a text for a list', { delivery: { onlyTo: 'example.org' } }, '`delivery.onlyTo` must be a list (got a string)'],
    ['nobody who gets mail', { delivery: { onlyTo: [] } }, '`delivery.onlyTo` must have an address or a domain'],
    [
      'a domain for a mailbox',
      { delivery: { redirectAllTo: 'example.org' } },
      '`delivery.redirectAllTo` must be an address such as `me@example.net`. The address has no `@`',
    ],
    ['an invalid group', { http: 5 }, '`http` must be an object (got a number)'],
    [
      'one policy for a list',
      { recipientPolicies: noop('decide') },
      '`recipientPolicies` must be a list (got an object)',
    ],
    ['an invalid policy', { recipientPolicies: [{}] }, '`recipientPolicies[0]` must be a recipient policy'],
    [
      'an ambiguous suppression list',
      { recipientPolicies: [{ ...noop('decide'), isSuppressionList: 'yes' }] },
      '`recipientPolicies[0].isSuppressionList` must be true or false',
    ],
    [
      'two suppression lists',
      { recipientPolicies: Array(2).fill({ ...noop('decide'), isSuppressionList: true }) },
      '`recipientPolicies` has two suppression lists',
    ],
    [
      'two signatures',
      { messageStages: Array(2).fill({ ...noop('apply'), isSignature: true }) },
      '`messageStages` has two signatures: one may have `isSignature`',
    ],
    [
      'an ambiguous signature',
      { messageStages: [{ ...noop('apply'), isSignature: 1 }] },
      '`messageStages[0].isSignature` must be true or false',
    ],
    [
      'an ambiguous stage',
      { messageStages: [{ ...noop('apply'), isImmediate: 1 }] },
      '`messageStages[0].isImmediate` must be true or false',
    ],
    [
      'an invalid message signer',
      { messageSigners: [noop('sign')] },
      '`messageSigners[0]` must be a message signer: it lacks the method `signs`',
    ],
    ['another signing hop', { dkim: 'own' }, '`dkim` must be `relay`'],
    [
      'an invalid sender policy',
      { senderPolicies: [{}] },
      '`senderPolicies[0]` must be a sender policy: it lacks the method `decide`',
    ],
    [
      'an invalid content owner',
      { contentOwners: [noop('keep')] },
      '`contentOwners[0]` must be a content owner: it lacks the method `keeps`',
    ],
    [
      'an invalid topic policy',
      { topicPolicy: noop('exists') },
      '`topicPolicy` must be a topic policy: it lacks the method `decide`',
    ],
    ['an invalid template source', { templateSource: [] }, '`templateSource` must be a template source (got a list)'],
    ['an invalid storage', { attachmentStorage: noop('put') }, 'it lacks the method `get`'],
    [
      'a subscription without a valid name',
      { eventSubscriptions: [{ name: 'Mine', handle: async () => {} }] },
      '`eventSubscriptions[0].name` must match ^[a-z]',
    ],
    [
      'a subscription to some accounts',
      { eventSubscriptions: [{ name: 'mine', accounts: 'some', handle: async () => {} }] },
      '`eventSubscriptions[0].accounts` must be',
    ],
    [
      'subscriptions of one name',
      { eventSubscriptions: [1, 2].map(() => ({ name: 'mine', handle: async () => {} })) },
      '`eventSubscriptions` has two of the same name',
    ],
    ['a subscription without a handler', { eventSubscriptions: [{ name: 'mine' }] }, 'it lacks the method `handle`'],
    [
      'an invalid listener',
      { eventListeners: [() => {}] },
      '`eventListeners[0]` must be an event listener (got a function)',
    ],
    [
      'an invalid observer',
      { observers: [{ attempted: 1 }] },
      '`observers[0].attempted` must be a method (got a number)',
    ],
    ['invalid hosts', { fetch: { allowedHosts: [1] } }, '`fetch.allowedHosts[0]` must be a text (got a number)'],
  ])('are refused with %s', (_, part, message) => {
    expect(() => forRoot(part)).toThrow(message);
    expect(() => forRoot(part)).not.toThrow(/canary/);
  });

  it('are all named at once, including those of the composition', () => {
    const refused = () => forRoot({ transport: undefined, guards: undefined, zzz: 1, delivery: { lease: 0 } });
    expect(refused).toThrow(/^EmailsModule: (?=.*`transport`)(?=.*`guards`)(?=.*`zzz`)(?=.*`delivery\.lease`)/);
  });

  it('need only the parts that the role uses', () => {
    EmailsModule.forRoot({ transport, role: 'worker' } as never);
    EmailsModule.forRoot({ ...ports, guards: [Guard], role: 'api' } as never);
  });

  it.each([undefined, null, Promise.resolve(), 'canary', []])(
    'of a factory are refused when they are %p',
    async (result) => {
      await expect(made({ guards: [Guard] }, result)).rejects.toThrow(
        /^EmailsModule: The factory must return the options \(got .*`transport` is missing/,
      );
    },
  );

  it('are refused in the wrong place', async () => {
    const useFactory = () => ({ ...ports, transport });
    expect(() => EmailsModule.forRootAsync({ guards: [Guard], useFactory, transport } as never)).toThrow(
      '`transport` must be among what `useFactory` returns',
    );
    await expect(made({ guards: [Guard] }, { ...ports, transport, isGlobal: true })).rejects.toThrow(
      '`isGlobal` must be given next to `useFactory`',
    );
    expect(() => EmailsModule.forRootAsync({ guards: [Guard] })).toThrow('needs `useFactory`');
    expect(() => EmailsModule.forRootAsync({ guards: [Guard], useFactory: 'x' } as never)).toThrow(
      '`useFactory` must be',
    );
  });

  it.each([undefined, null, 'x', []])('must not be %p', (options) => {
    expect(() => EmailsModule.forRoot(options as never)).toThrow('EmailsModule: `forRoot` needs an object');
    expect(() => EmailsModule.forRootAsync(options as never)).toThrow('EmailsModule: `forRootAsync` needs an object');
  });

  it('are needed: a module that is imported by its class alone says so', async () => {
    const bare = Test.createTestingModule({ imports: [EmailsModule] }).compile();
    await expect(bare).rejects.toThrow('EmailsModule is imported without `forRoot`');
  });
});

describe('options of SmtpTransport', () => {
  it.each([
    undefined,
    null,
    5,
    '',
    'localhost',
    'localhost:25',
    'http://canary',
    '//canary',
    'smtp:',
    'smtp://',
    'smtp:canary',
    'smtp://u:canary@h:abc',
    'smtp://u:canary@h:99999',
    'smtp://u:canary@h:0',
    'smtps://u:canary@',
  ])('are refused with %p for the URL', (url) => {
    expect(() => new SmtpTransport({ url: url as string })).toThrow('`smtp://user:password@host:587`');
    expect(() => new SmtpTransport({ url: url as string })).not.toThrow(/canary/);
  });

  it('are refused together', () => {
    const wrong = { url: 'smtp://x?socketTimout=5', hop: 'none', maxConnection: 1, tls: true };
    const refused = () => new SmtpTransport(wrong as never);
    expect(refused).toThrow('did you mean `socketTimeout`?');
    expect(refused).toThrow('did you mean `maxConnections`?');
    expect(refused).toThrow(/^SmtpTransport: (?=.*`hop` must be)(?=.*`tls` must be an object)/);
    expect(() => new SmtpTransport(undefined as never)).toThrow('`url` is missing');
  });

  it.each([
    ['requireTLS', 'required'],
    ['ignoreTLS', 'none'],
    ['opportunisticTLS', 'optional'],
  ])('have `tls` in place of %s', (name, rule) => {
    for (const wrong of [{ url: `smtp://mx.test?${name}=true` }, { url: 'smtp://mx.test', [name]: true }])
      expect(() => new SmtpTransport(wrong)).toThrow(`\`${name}\` is set by \`tls=${rule}\` in the URL.`);
  });

  it('may be in the query of the URL', () => {
    new SmtpTransport({
      url: 'smtps://me:secret@[::1]:465/?tls.servername=mx.test&tls=required&name=me.test&authMethod=LOGIN&localAddress=::1',
    });
  });

  it.each([
    ['?lmtp=true', '`lmtp` is no option'],
    ['?authMethod=CRAM-MD5', '`authMethod` must be `PLAIN`, `LOGIN` or `XOAUTH2`'],
    ['?authMethod=XOAUTH2', '`XOAUTH2` needs an `auth` with `accessToken`'],
    ['?localAddress=mx.test', '`localAddress` must be an IP address'],
    ['?name=a%0D%0AMAIL', '`name` must be a host name'],
    ['?secure=true', '`secure` is no option.'],
    ['?host=other.test', '`host` is no option.'],
    ['?port=26', '`port` is no option.'],
    ['?url=smtp://other.test', '`url` is no option in the query of the URL.'],
    ['?__proto__=1', '`__proto__` is no option.'],
    ['?constructor=1', '`constructor` is no option.'],
    ['?canary@mx.test', 'without path and fragment'],
    ['#canary@mx.test', 'without path and fragment'],
    ['/canary@mx.test', 'without path and fragment'],
  ])('must make sense there (%s)', (query, said) => {
    expect(() => new SmtpTransport({ url: `smtp://me:canary@mx.test${query}` })).toThrow(said);
    expect(() => new SmtpTransport({ url: `smtp://me:canary@mx.test${query}` })).not.toThrow(/canary/);
  });

  it.each(['smtp://me@mx.test', 'smtp://:canary@mx.test', 'smtp://me:canary%00@mx.test'])(
    'must have a user and a password, or neither: %s',
    (url) => {
      expect(() => new SmtpTransport({ url })).toThrow('`url` must have a user and a password, or neither.');
    },
  );

  it.each<[string, object, string]>([
    ['smtps://other@mx.test', { auth: { user: 'me', pass: 'canary' } }, '`auth` and a login in the URL'],
    ['smtps://me:canary@mx.test', { auth: { user: 'me', pass: 'canary' } }, '`auth` and a login in the URL'],
    ['smtp://mx.test?tls.servername=a', { tls: { ca: 'canary' } }, '`tls` and `tls.…` in the URL'],
  ])('are not both in the URL %s and next to it', (url, options, said) => {
    expect(() => new SmtpTransport({ url, ...options })).toThrow(said);
    expect(() => new SmtpTransport({ url, ...options })).not.toThrow(/canary/);
  });

  it('may have the login next to the URL', () => {
    const accessToken = async () => 'token';
    for (const auth of [
      { user: 'me', pass: 'canary' },
      { user: 'me', accessToken },
    ])
      new SmtpTransport({ url: 'smtps://mx.test', auth });
    new SmtpTransport({ url: 'smtps://mx.test', auth: { user: 'me', accessToken }, authMethod: 'XOAUTH2' });
  });

  it.each<unknown>([
    'me:canary',
    { user: 'me' },
    { user: '', pass: 'canary' },
    { user: 'me', pass: 'canary\0' },
    { user: 'me', pass: 'canary', accessToken: async () => 'token' },
    { user: 'me', accessToken: 'canary' },
    { user: 'me', pass: 'canary', type: 'OAuth2' },
  ])('must have a login of either kind there (%j)', (auth) => {
    const refused = () => new SmtpTransport({ url: 'smtps://mx.test', auth: auth as never });
    expect(refused).toThrow('`auth` must be `{ user, pass }` or `{ user, accessToken }`');
    expect(refused).not.toThrow(/canary/);
  });
});

function noop(...names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, () => {}]));
}
