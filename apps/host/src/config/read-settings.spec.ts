import { isAbsolute } from 'node:path';
import { SmtpTransport } from 'nestjs-emails';
import { readSettings } from './read-settings.js';
import { SettingsError } from './settings.error.js';
import type { Settings } from './settings.js';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

/** A public key in the form of SendGrid's. */
const SENDGRID_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';

const SIGNING_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

describe('readSettings', () => {
  it('has a default for everything', () => {
    const { dataDir, ...settings } = readSettings({});
    expect(settings).toEqual({
      port: 3000,
      feedbackAddresses: [],
      feedbackSenders: [],
      alarmTo: [],
      host: '127.0.0.1',
      databaseUrl: undefined,
      directDatabaseUrl: undefined,
      redisUrls: undefined,
      smtpUrls: undefined,
      smtpHops: ['final'],
      role: 'all',
      bootstrapApiKey: undefined,
      logLevel: 'info',
      rateLimit: undefined,
      retrySchedule: undefined,
      sweepInterval: undefined,
      contentRetention: undefined,
      eventRetention: undefined,
      fromDomains: 'any',
      dkim: 'own',
      onReputation: 'warn',
      quotaPerDay: undefined,
      quotaPerMonth: undefined,
      requireContent: false,
      recipientsPerMessage: 'all',
      startPaused: false,
      search: true,
      drainDelay: 0,
      adminToken: undefined,
      dashboardPath: '/dashboard',
      otlpEndpoint: undefined,
      secretKeys: undefined,
      publicUrl: undefined,
      webhookAllowPrivate: [],
      queueShards: 1,
    });
    expect(isAbsolute(dataDir)).toBe(true);
    expect(dataDir.endsWith('.data')).toBe(true);
  });

  it('treats empty as unset', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '', ROLE: '', LOG_LEVEL: '', DATA_DIR: '' })).toEqual(
      readSettings({}),
    );
  });

  it.each([
    ['ONLY_TO', 'me@example.net,', 'addresses and domains such as me@example.net or example.org'],
    ['ONLY_TO', '*.example.org', 'addresses and domains'],
    ['ONLY_TO', '@example.org', 'addresses and domains'],
    ['ONLY_TO', 'Me <me@example.net>', 'addresses and domains'],
    ['ONLY_TO', 'example.org;example.net', 'addresses and domains'],
    ['ONLY_TO', '192.0.2.1', 'addresses and domains'],
    ['REDIRECT_ALL_TO', 'example.org', 'an address without a name, such as me@example.net'],
    ['REDIRECT_ALL_TO', 'a@example.net,b@example.net', 'an address without a name'],
    ['REDIRECT_ALL_TO', 'a..b@example.net', 'an address without a name'],
  ])('refuses %s=%s', (name, given, expected) => {
    expect(problemsOf({ [name]: given })).toEqual([expect.stringContaining(`${name} must be ${expected}`)]);
  });

  it.each([
    ['off', undefined],
    ['', '/dashboard'],
    ['/a/b-c', '/a/b-c'],
  ])('takes DASHBOARD_PATH=%s', (given, path) => {
    expect(readSettings({ DASHBOARD_PATH: given }).dashboardPath).toBe(path);
  });

  it.each(['dashboard', '/', '/a/', '/a b', '/a?b', '//a'])('refuses DASHBOARD_PATH=%s', (given) => {
    expect(() => readSettings({ DASHBOARD_PATH: given })).toThrow('DASHBOARD_PATH');
  });

  it('reads every variable', () => {
    expect(
      readSettings({
        PORT: '0',
        HOST: '::1',
        DATABASE_URL: 'postgres://user:pass@db:5432/emails',
        REDIS_URL: 'rediss://:pass@cache:6380/2',
        SMTP_URL: 'smtps://user:pass@mail:465',
        SMTP_HOP: 'final',
        DATA_DIR: '/var/lib/emails',
        ROLE: 'worker',
        BOOTSTRAP_API_KEY: 're_12345678',
        LOG_LEVEL: 'silent',
        RATE_LIMIT: '10',
        RETRY_SCHEDULE: '1m,5m',
        SWEEP_INTERVAL: '500ms',
        RETENTION_CONTENT: '90d',
        RETENTION_EVENTS: '365d',
        ON_REPUTATION: 'hold',
        QUOTA_PER_DAY: '1000',
        QUOTA_PER_MONTH: '20000',
        REQUIRE_CONTENT: 'true',
        RECIPIENTS_PER_MESSAGE: '1',
        START_PAUSED: 'true',
        SEARCH: 'false',
        DRAIN_DELAY: '5s',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        ADMIN_TOKEN: '0123456789abcdef01234567',
        DASHBOARD_PATH: '/mail',
        QUEUE_SHARDS: '4',
        SECRET_KEY: `${'n'.repeat(32)}, ${'o'.repeat(32)}`,
        PUBLIC_URL: 'https://mail.example.com/api',
        WEBHOOK_ALLOW_PRIVATE: '10.0.0.0/8, fd00::/8',
        HOOK_SES_TOPICS: 'arn:aws:sns:eu-west-1:123456789012:a, arn:aws-cn:sns:cn-north-1:123456789012:b',
        HOOK_POSTMARK_AUTH: 'user:a-long-password',
        HOOK_MAILGUN_KEY: '0123456789abcdef0123456789abcdef',
        HOOK_SENDGRID_KEY: SENDGRID_KEY,
        BOUNCE_DOMAIN: 'Bounces.example.com',
        BOUNCE_SMTP_PORT: '25',
        FROM_DOMAINS: 'verified',
        DKIM: 'relay',
        FEEDBACK_ID: 'acme-1',
        FEEDBACK_ADDRESSES: 'fbl@example.com, jmrp@example.com',
        FEEDBACK_SENDERS: 'Provider.example',
        ALARM_WEBHOOK_URL: 'https://ops.example.com/alarms',
        ALARM_WEBHOOK_SECRET: SIGNING_SECRET,
        ALARM_TO: 'ops@example.com, boss@example.com',
        ALARM_FROM: 'alarms@example.com',
      }),
    ).toEqual({
      port: 0,
      host: '::1',
      databaseUrl: 'postgres://user:pass@db:5432/emails',
      directDatabaseUrl: 'postgres://user:pass@db:5432/emails',
      redisUrls: ['rediss://:pass@cache:6380/2'],
      smtpUrls: ['smtps://user:pass@mail:465'],
      smtpHops: ['final'],
      dataDir: '/var/lib/emails',
      role: 'worker',
      bootstrapApiKey: 're_12345678',
      logLevel: 'silent',
      rateLimit: 10,
      retrySchedule: [60_000, 300_000],
      sweepInterval: 500,
      contentRetention: 90 * 86_400_000,
      eventRetention: 365 * 86_400_000,
      onReputation: 'hold',
      quotaPerDay: 1_000,
      quotaPerMonth: 20_000,
      requireContent: true,
      recipientsPerMessage: '1',
      startPaused: true,
      search: false,
      drainDelay: 5_000,
      otlpEndpoint: 'http://127.0.0.1:4318',
      adminToken: '0123456789abcdef01234567',
      dashboardPath: '/mail',
      queueShards: 4,
      secretKeys: ['n'.repeat(32), 'o'.repeat(32)],
      publicUrl: 'https://mail.example.com/api',
      webhookAllowPrivate: ['10.0.0.0/8', 'fd00::/8'],
      hookSesTopics: ['arn:aws:sns:eu-west-1:123456789012:a', 'arn:aws-cn:sns:cn-north-1:123456789012:b'],
      hookPostmarkAuth: 'user:a-long-password',
      hookMailgunKey: '0123456789abcdef0123456789abcdef',
      hookSendgridKey: SENDGRID_KEY,
      bounceDomain: 'bounces.example.com',
      bounceSmtpPort: 25,
      fromDomains: 'verified',
      dkim: 'relay',
      feedbackId: 'acme-1',
      feedbackAddresses: ['fbl@example.com', 'jmrp@example.com'],
      feedbackSenders: ['provider.example'],
      alarmWebhookUrl: 'https://ops.example.com/alarms',
      alarmWebhookSecret: SIGNING_SECRET,
      alarmTo: ['ops@example.com', 'boss@example.com'],
      alarmFrom: 'alarms@example.com',
    });
  });

  it('takes an SMTP server for a relay by default', () => {
    expect(readSettings({ SMTP_URL: 'smtp://localhost:25' }).smtpHops).toEqual(['relay']);
    const urls = ['smtp://u:a,b@one:25', 'smtps://two:465'];
    const both = readSettings({ SMTP_URL: urls.join(', ') });
    expect([both.smtpUrls, both.smtpHops]).toEqual([urls, ['relay', 'relay']]);
    expect(readSettings({ SMTP_URL: urls.join(), SMTP_HOP: 'final, relay' }).smtpHops).toEqual(['final', 'relay']);
  });

  it('accepts several nodes of a Redis Cluster, which has no databases', () => {
    expect(readSettings({ REDIS_URL: 'redis://a:1,redis://b:2/' }).redisUrls).toEqual(['redis://a:1', 'redis://b:2/']);
    expect(problemsOf({ REDIS_URL: 'redis://a:1,redis://b:2/3' })).toHaveLength(1);
    expect(problemsOf({ REDIS_URL: 'redis://a:1,' })).toHaveLength(1);
  });

  it('takes a direct database URL only next to the other one', () => {
    const url = 'postgres://u@pooler/d';
    expect(readSettings({ DATABASE_URL: url }).directDatabaseUrl).toBe(url);
    expect(problemsOf({ DIRECT_DATABASE_URL: url })).toEqual([expect.stringMatching(/^DATABASE_URL is missing/)]);
  });

  it('takes a port for reports only with an address, and return paths only with a secret', () => {
    expect(problemsOf({ BOUNCE_SMTP_PORT: '25' })).toEqual([expect.stringMatching(/^BOUNCE_DOMAIN is missing/)]);
    expect(problemsOf({ BOUNCE_SMTP_PORT: '25', FEEDBACK_ADDRESSES: 'fbl@example.com' })).toEqual([]);
    const shared = { BOUNCE_DOMAIN: 'bounces.test', DATABASE_URL: 'postgres://db/emails' };
    expect(problemsOf(shared)).toEqual([expect.stringMatching(/^SECRET_KEY is missing/)]);
    expect(problemsOf({ ...shared, SECRET_KEY: 'x'.repeat(32) })).toEqual([]);
  });

  it('takes a host for the return paths of domains only with mail that has return paths', () => {
    const domains = { BOUNCE_HOST: 'mx.example.com', SPF_MECHANISMS: 'ip4:192.0.2.1' };
    expect(problemsOf(domains)).toEqual([]);
    const sent = { ...domains, SMTP_URL: 'smtp://relay.example.com' };
    expect(problemsOf(sent)).toEqual([expect.stringMatching(/^BOUNCE_DOMAIN is missing/)]);
    expect(problemsOf({ ...sent, BOUNCE_DOMAIN: 'bounces.example.com' })).toEqual([]);
  });

  it('takes a URL for alarms only with a secret, and shows neither', () => {
    const url = 'https://ops.example.com/alarms?token=very-secret';
    expect(problemsOf({ ALARM_WEBHOOK_URL: url })).toEqual([expect.stringMatching(/^ALARM_WEBHOOK_SECRET is missing/)]);
    const right = { ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_SECRET: SIGNING_SECRET };
    expect(readSettings(right)).toMatchObject({ alarmWebhookUrl: url });
    for (const wrong of [
      'whsec_',
      'abc',
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      'whsec_very-secret'.repeat(4),
    ]) {
      const [problem] = problemsOf({ ...right, ALARM_WEBHOOK_SECRET: wrong });
      expect(problem).toMatch(/^ALARM_WEBHOOK_SECRET must be/);
      expect(problem).not.toContain('very-secret');
    }
    for (const wrong of ['ftp://ops.test/', 'https://user:very-secret@ops.test/', 'ops']) {
      const [problem] = problemsOf({ ...right, ALARM_WEBHOOK_URL: wrong });
      expect(problem).toMatch(/^ALARM_WEBHOOK_URL must be/);
      expect(problem).not.toContain('very-secret');
    }
  });

  it('accepts a database behind a Unix socket', () => {
    const url = 'postgresql:///emails?host=/var/run/postgresql';
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '0x50'],
    ['PORT', '3000 '],
    ['HOST', 'http://localhost'],
    ['HOST', 'localhost:3000'],
    ['HOST', 'no host'],
    ['DATABASE_URL', 'mysql://db/emails'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'http://cache'],
    ['REDIS_URL', 'redis:///0'],
    ['REDIS_URL', 'redis://cache/zero'],
    ['SMTP_URL', 'mail:25'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_HOP', 'last'],
    ['ROLE', 'API'],
    ['BOOTSTRAP_API_KEY', 'short'],
    ['BOOTSTRAP_API_KEY', 'with a space'],
    ['BOOTSTRAP_API_KEY', 'x'.repeat(257)],
    ['SECRET_KEY', 'x'.repeat(31)],
    ['SECRET_KEY', `${'x'.repeat(32)},`],
    ['SECRET_KEY', `${'x'.repeat(32)} ${'y'.repeat(32)}`],
    ['PUBLIC_URL', 'mail.example.com'],
    ['ON_REPUTATION', 'nothing'],
    ['QUOTA_PER_DAY', '0'],
    ['QUOTA_PER_MONTH', '1e6'],
    ['HOOK_SES_TOPICS', 'feedback'],
    ['HOOK_SES_TOPICS', 'arn:aws:sns:eu-west-1:123456789012:a,'],
    ['HOOK_SES_TOPICS', 'arn:aws:sqs:eu-west-1:123456789012:a'],
    ['HOOK_POSTMARK_AUTH', 'no-user-and-a-password'],
    ['HOOK_POSTMARK_AUTH', 'user:short'],
    ['HOOK_POSTMARK_AUTH', 'user:with a blank in it'],
    ['HOOK_MAILGUN_KEY', 'short'],
    ['HOOK_SENDGRID_KEY', 'SG.an-api-key'],
    ['HOOK_SENDGRID_KEY', SENDGRID_KEY.slice(4)],
    ['WEBHOOK_ALLOW_PRIVATE', '10.0.0.0'],
    ['WEBHOOK_ALLOW_PRIVATE', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW_PRIVATE', 'localhost/8'],
    ['PUBLIC_URL', 'https://user:pass@mail.example.com'],
    ['PUBLIC_URL', 'https://mail.example.com/?a=b'],
    ['PUBLIC_URL', 'https://mail.example.com:99999'],
    ['BOUNCE_DOMAIN', 'b@example.com'],
    ['BOUNCE_DOMAIN', '192.0.2.1'],
    ['FEEDBACK_ADDRESSES', 'example.com'],
    ['FEEDBACK_ADDRESSES', 'a@example.com,'],
    ['FEEDBACK_SENDERS', 'a@example.com'],
    ['LOG_LEVEL', 'verbose'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', '1.5'],
    ['RETRY_SCHEDULE', '1m,5'],
    ['SWEEP_INTERVAL', '3'],
    ['RETENTION_CONTENT', '90'],
  ])('refuses %s=%s with one line with its name and a valid value', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be .{8,}`))]);
  });

  it('reports all problems at once', () => {
    expect(problemsOf({ PORT: 'x', ROLE: 'x', SMTP_HOP: 'x' })).toHaveLength(3);
  });

  it.each(['api', 'worker'])('asks for a database when ROLE is %s', (role) => {
    expect(problemsOf({ ROLE: role })).toEqual([expect.stringMatching(/^DATABASE_URL is missing: ROLE=/)]);
    expect(problemsOf({ ROLE: role, DATABASE_URL: 'postgres://db/emails' })).toEqual([]);
  });

  it.each([
    'DATABASE_URL',
    'REDIS_URL',
    'SMTP_URL',
    'BOOTSTRAP_API_KEY',
    'HOOK_POSTMARK_AUTH',
    'HOOK_MAILGUN_KEY',
    'HOOK_SENDGRID_KEY',
  ])('never shows the value of %s', (name) => {
    const [problem] = problemsOf({ [name]: 'ftp://admin:hunter2secret@host with spaces' });
    expect(problem).toContain(name);
    expect(problem).not.toMatch(/hunter2secret|admin|ftp/);
  });
});

/** A setting that is a number, or a list of them. */
type NumberKey = {
  [K in keyof Settings]: NonNullable<Settings[K]> extends number | readonly number[] ? K : never;
}[keyof Settings];

/** Lowest and highest value of each numeric variable, and values beyond. A missing variable does not compile. */
const NUMBERS: Record<NumberKey, [variable: string, least: string, largest: string, beyond: string[]]> = {
  port: ['PORT', '0', '65535', ['65536']],
  bounceSmtpPort: ['BOUNCE_SMTP_PORT', '0', '65535', ['65536']],
  rateLimit: ['RATE_LIMIT', '1', '999999999', ['0', '1000000000']],
  quotaPerDay: ['QUOTA_PER_DAY', '1', '999999999', ['0', '1000000000']],
  quotaPerMonth: ['QUOTA_PER_MONTH', '1', '999999999', ['0', '1000000000']],
  queueShards: ['QUEUE_SHARDS', '1', '64', ['0', '65']],
  retrySchedule: ['RETRY_SCHEDULE', '1ms', '24d', ['0ms', '24.001d', '1m,25d', '2147483648ms']],
  sweepInterval: ['SWEEP_INTERVAL', '1ms', '1d', ['0s', '1.001d', '24d', '86401s']],
  contentRetention: ['RETENTION_CONTENT', '1ms', '36500d', ['0d', '36501d', '999999999d']],
  eventRetention: ['RETENTION_EVENTS', '1ms', '36500d', ['0d', '36501d', '999999999d']],
  drainDelay: ['DRAIN_DELAY', '1ms', '24d', ['0s', '25d', '2147483648ms']],
};

describe.each(Object.entries(NUMBERS))('%s', (setting, [variable, least, largest, beyond]) => {
  it.each([least, largest])(`${variable} may be %s`, (value) => {
    const environment = { BOUNCE_DOMAIN: 'bounces.test', [variable]: value };
    expect(problemsOf(environment)).toEqual([]);
    const read = readSettings(environment)[setting as NumberKey];
    for (const number of [read].flat()) expect(Number.isSafeInteger(number)).toBe(true);
  });

  const never = [
    '-1',
    '-1s',
    '1.5',
    '1.5.5s',
    '1e3',
    '1e3s',
    '0x10',
    'NaN',
    'NaNs',
    'Infinity',
    'Infinityd',
    ' ',
    '+1',
    '１',
  ];
  it.each([...beyond, ...never, '9'.repeat(400), `${'9'.repeat(400)}d`])(`${variable} may not be %.40s`, (value) => {
    expect(problemsOf({ [variable]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${variable} must be .*\\d`, 's')),
    ]);
  });
});

describe('numbers in URLs', () => {
  const SMTP = [
    'connectionTimeout',
    'greetingTimeout',
    'socketTimeout',
    'messageTimeout',
    'idleTimeout',
    'maxConnections',
    'maxMessagesPerConnection',
  ];

  it.each(SMTP)('SMTP_URL?%s is whole and from 1', (name) => {
    for (const value of ['1', '10000']) expect(problemsOf({ SMTP_URL: `smtp://mail/?${name}=${value}` })).toEqual([]);
    for (const value of ['0', '-1', '1.5', '', 'abc', '1e3', '0x10', '2147483648', `5&${name}=6`]) {
      expect(problemsOf({ SMTP_URL: `smtp://mail/?${name}=${value}` })).toEqual([
        expect.stringMatching(/^SMTP_URL must be .*from 1 to/),
      ]);
    }
  });

  it.each([
    'smtp://u:p@mail?tls=required',
    'smtp://mail?tls=optional',
    'smtp://mail?tls=none',
    'smtps://mail?tls=required',
  ])('SMTP_URL may be %s, as in the library', (url) => {
    expect(problemsOf({ SMTP_URL: url })).toEqual([]);
    new SmtpTransport({ url });
  });

  it.each([
    'smtp://mail?tls=requried',
    'smtp://mail?tls=',
    'smtp://mail?tls=none&tls=none',
    'smtps://mail?tls=none',
    'smtp://mail?requireTLS=true',
    'smtp://mail?ignoreTLS=true',
    'smtp://mail?opportunisticTLS=true',
  ])('SMTP_URL may not be %s, as in the library', (url) => {
    expect(problemsOf({ SMTP_URL: url })).toEqual([
      expect.stringMatching(/^SMTP_URL must be .*tls.* must be required, optional or none/),
    ]);
    expect(() => new SmtpTransport({ url })).toThrow('tls=');
  });

  it('are those of the library', () => {
    for (const name of SMTP) expect(() => new SmtpTransport({ url: `smtp://mail/?${name}=0` })).toThrow(name);
  });

  it.each([
    ['SMTP_URL', 'smtp://mail:0'],
    ['DATABASE_URL', 'postgres://db:0/emails'],
    ['REDIS_URL', 'redis://cache:0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:0'],
  ])('%s has no port 0', (name, value) => {
    expect(problemsOf({ [name]: value })).toHaveLength(1);
  });
});
