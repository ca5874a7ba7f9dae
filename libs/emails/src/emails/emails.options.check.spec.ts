import type { NumberPath } from '../shared/options/number-rules.js';
import { EmailsTestingModule } from '../testing/emails-testing.module.js';
import { EmailsModule } from './emails.module.js';
import { checkingOptions, EXTRA_NUMBERS, OPTION_NUMBERS } from './emails.options.check.js';
import type { EmailsModuleExtras, EmailsOptions } from './emails.options.js';
import { EMAILS_OPTIONS } from './emails.tokens.js';
import { SMTP_NUMBERS, SmtpTransport, type SmtpTransportOptions } from './transports/smtp/smtp-transport.js';

/** The least and the largest value that an option takes. */
type Range = readonly [least: number, largest: number];

const TIMER = 2_147_483_647;
const DAY = 86_400_000;
const CENTURY = 36_500 * DAY;

/** A new option without a row here does not compile, and one without a rule fails. */
const OPTIONS: Record<NumberPath<EmailsOptions>, Range> = {
  'http.bodyLimit': [1, 500_000_000],
  'http.messageLimit': [1, 500_000_000],
  'fetch.ports': [1, 65_535],
  'fetch.timeout': [1, TIMER],
  'fetch.requestTimeout': [1, TIMER],
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
const forRoot = (part: object) =>
  EmailsModule.forRoot({ ...ports, transport: {} as EmailsOptions['transport'], guards: [Guard], ...part });

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

describe('numbers among the options', () => {
  it('have a rule each', () => {
    expect(Object.keys(OPTION_NUMBERS)).toEqual(Object.keys(OPTIONS));
    expect(Object.keys(EXTRA_NUMBERS)).toEqual(Object.keys(EXTRAS));
    expect(Object.keys(SMTP_NUMBERS)).toEqual(Object.keys(SMTP));
  });

  it.each(cases)('%s may be from its least to its largest value, or absent', (_, [least, largest], start) => {
    for (const value of [least, least + 1, largest - 1, largest]) expect(() => start(value)).not.toThrow();
  });

  it.each([...Object.keys(OPTIONS), ...Object.keys(EXTRAS)])('%s may be absent', (path) => {
    for (const value of [undefined, null]) expect(() => forRoot(optionsWith(path, value))).not.toThrow();
  });

  it.each(cases)(
    '%s is refused by its name, and what would be right is said, when it is anything else',
    (name, range, start) => {
      for (const value of wrongValues(range)) {
        expect(() => start(value)).toThrow(`\`${name}\` must be a whole number`);
        expect(() => start(value)).toThrow(`from ${range[0]} to ${range[1]}`);
      }
    },
  );

  it('are all named when several are wrong, and texts are not repeated', () => {
    const wrong = { delivery: { concurrency: 0, retrySchedule: [1, -1, Number.NaN] }, http: { bodyLimit: 'canary' } };
    const refused = () => forRoot(wrong);
    expect(refused).toThrow(/`http\.bodyLimit`.*`delivery\.concurrency`.*\[1\].*\[2\]/);
    expect(refused).toThrow(/\(got a string\)/);
    expect(refused).not.toThrow(/canary/);
  });

  it('may be lists without entries: no port is asked, nothing is tried again', () => {
    expect(() => forRoot({ fetch: { ports: [] }, delivery: { retrySchedule: [] } })).not.toThrow();
    // biome-ignore lint/suspicious/noSparseArray: what a host may hand over
    expect(() => forRoot({ delivery: { retrySchedule: [1, , 2] } })).toThrow(/retrySchedule\[1\]/);
  });

  it('are checked too when a factory makes the options, and in the testing module', async () => {
    const lease = { delivery: { lease: -1 } };
    const provider = checkingOptions({ provide: EMAILS_OPTIONS, useFactory: async () => lease });
    const { useFactory } = provider as { useFactory: () => Promise<unknown> };
    await expect(useFactory()).rejects.toThrow(/`delivery\.lease` must be/);
    const asynchronous = EmailsModule.forRootAsync({
      guards: [Guard],
      useFactory: () => ({ ...ports, transport: {} as never, ...lease }),
    });
    const made = asynchronous.providers?.find((entry) => (entry as { provide?: unknown }).provide === EMAILS_OPTIONS);
    await expect((made as { useFactory: () => Promise<unknown> }).useFactory()).rejects.toThrow(/delivery\.lease/);
    expect(() => EmailsTestingModule.register({ idempotency: { retention: 0 } })).toThrow(/idempotency\.retention/);
  });
});

describe('numbers in the query of an SMTP URL', () => {
  const open = (query: string) => new SmtpTransport({ url: `smtp://me:canary@localhost/?${query}` });

  it.each(Object.keys(SMTP))('%s is held to the same rule', (name) => {
    expect(() => open(`${name}=1000`)).not.toThrow();
    for (const value of ['0', '-1', '1.5', 'NaN', 'abc', '1e400', '', '2147483648000', `5&${name}=6`]) {
      expect(() => open(`${name}=${value}`)).toThrow(`\`${name}`);
      expect(() => open(`${name}=${value}`)).not.toThrow(/canary/);
    }
  });

  it('give way to what is given beside the URL', () => {
    expect(() => new SmtpTransport({ url: 'smtp://localhost/?maxConnections=0', maxConnections: 1 })).not.toThrow();
    const absent: object = { maxConnections: undefined };
    expect(() => new SmtpTransport({ url: 'smtp://localhost/?maxConnections=0', ...absent })).toThrow();
  });
});
