import { generateKeyPairSync } from 'node:crypto';
import { ApiError } from '../../shared/errors/api-error.js';
import { relayPayload } from './relay-payload.spec-tools.js';
import { SesRelay } from './ses.relay.js';
import { SnsCertificates } from './sns/sns-certificates.js';
import { ISSUER_URL, makeSnsChain, snsBody } from './sns/sns-chain.spec-tools.js';

const TOPIC = 'arn:aws:sns:us-west-2:123456789012:MyTopic';
const CERTIFICATE_URL =
  'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem';
const chain = makeSnsChain();

/** Files at their URLs, and the order in which they were fetched. */
class Files {
  readonly fetched: string[] = [];

  constructor(readonly files: Record<string, string | Buffer> = {}) {}

  async get(url: string): Promise<Buffer> {
    this.fetched.push(url);
    const file = this.files[url];
    if (file === undefined) throw ApiError.unavailable();
    return Buffer.from(file);
  }
}

function relayed(certificate: string | Buffer = chain.leaf, others: Record<string, string | Buffer> = {}) {
  const files = new Files({ [CERTIFICATE_URL]: certificate, [ISSUER_URL]: chain.intermediate, ...others });
  const certificates = new SnsCertificates(files, [chain.root]);
  return { files, relay: new SesRelay([TOPIC], certificates, files) };
}

const fields = (given: Record<string, unknown> = {}) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Message: relayPayload('ses-bounce-dsn').toString(),
  Timestamp: new Date().toISOString(),
  SigningCertURL: CERTIFICATE_URL,
  ...given,
});

const documented = (name: string) => JSON.parse(relayPayload(name).toString()) as Record<string, string>;
const unauthorized = expect.objectContaining({ statusCode: 401 });

describe('SesRelay', () => {
  it.each(['sha1', 'sha256'])('accepts a signature with %s, by a chain to a trusted root', async (hash) => {
    const { relay, files } = relayed();
    expect((await relay.read(snsBody(fields(), chain.key, hash))).reports).toHaveLength(1);
    expect(files.fetched).toEqual([CERTIFICATE_URL, ISSUER_URL]);
  });

  it('fetches a certificate once', async () => {
    const { relay, files } = relayed();
    const body = snsBody(fields(), chain.key);
    await Promise.all([relay.read(body), relay.read(body)]);
    await relay.read(body);
    expect(files.fetched.filter((url) => url === CERTIFICATE_URL).length).toBeLessThanOrEqual(2);
    const before = files.fetched.length;
    await relay.read(body);
    expect(files.fetched).toHaveLength(before);
  });

  it('signs the subject where there is one', async () => {
    const { relay } = relayed();
    expect((await relay.read(snsBody(fields({ Subject: 'Amazon SES' }), chain.key))).reports).toHaveLength(1);
    const { Subject, ...unsigned } = JSON.parse(snsBody(fields({ Subject: 'x' }), chain.key).toString());
    await expect(relay.read(Buffer.from(JSON.stringify(unsigned)))).rejects.toThrow(unauthorized);
  });

  it('confirms the subscription of its topic by the documented message', async () => {
    const message = documented('sns-subscription-confirmation');
    const { SubscribeURL = '' } = message;
    const { relay, files } = relayed(chain.leaf, { [SubscribeURL]: '<ConfirmSubscriptionResponse/>' });
    const { Signature, SignatureVersion, ...unsigned } = message;
    const body = snsBody({ ...unsigned, Timestamp: new Date().toISOString() }, chain.key, 'sha1');
    expect((await relay.read(body)).reports).toEqual([]);
    expect(files.fetched.at(-1)).toBe(SubscribeURL);
  });

  it.each([
    'https://sns.us-west-2.amazonaws.com.example.com/?Action=ConfirmSubscription',
    'http://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.us-west-2.amazonaws.com/?Action=DeleteTopic',
    'https://x@sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription',
    'https://127.0.0.1/?Action=ConfirmSubscription',
    'x',
  ])('visits no %s', async (SubscribeURL) => {
    const { relay, files } = relayed();
    const body = snsBody(fields({ Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }), chain.key);
    await expect(relay.read(body)).rejects.toThrow(unauthorized);
    expect(files.fetched).not.toContain(SubscribeURL);
  });

  it('lets SNS send a confirmation again that could not be visited', async () => {
    const { SubscribeURL } = documented('sns-subscription-confirmation');
    const body = snsBody(fields({ Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }), chain.key);
    await expect(relayed().relay.read(body)).rejects.toThrow(expect.objectContaining({ statusCode: 503 }));
  });

  it('ignores the end of a subscription, greetings, and other texts', async () => {
    const { relay, files } = relayed();
    const { SubscribeURL } = documented('sns-subscription-confirmation');
    await relay.read(snsBody(fields({ Type: 'UnsubscribeConfirmation', Token: 't', SubscribeURL }), chain.key));
    expect(files.fetched).not.toContain(SubscribeURL);
    for (const Message of [
      'Successfully validated SNS topic for Amazon SES event publishing.',
      'null',
      '7',
      '[]',
      '{',
    ]) {
      expect((await relay.read(snsBody(fields({ Message }), chain.key))).reports).toEqual([]);
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ["another's topic", { TopicArn: 'arn:aws:sns:us-west-2:210987654321:MyTopic' }],
    ['no topic', { TopicArn: undefined }],
    ['a topic of another type', { TopicArn: [TOPIC] }],
    ['another type', { Type: 'constructor' }],
    ['an old time', { Timestamp: new Date(Date.now() - 3 * 3_600_000).toISOString() }],
    ['a time in the future', { Timestamp: new Date(Date.now() + 3_600_000).toISOString() }],
    ['no time', { Timestamp: 'now' }],
    ['another version', { SignatureVersion: '3' }],
    ['a certificate elsewhere', { SigningCertURL: 'https://example.com/SimpleNotificationService-1.pem' }],
    ['a certificate at a host like it', { SigningCertURL: CERTIFICATE_URL.replace('.com/', '.com.example.com/') }],
    ['a certificate of another region', { SigningCertURL: CERTIFICATE_URL.replace('us-west-2', 'eu-west-1') }],
    ['a certificate without TLS', { SigningCertURL: CERTIFICATE_URL.replace('https', 'http') }],
    ['a certificate at another port', { SigningCertURL: CERTIFICATE_URL.replace('.com/', '.com:8443/') }],
    ['a certificate with an empty query', { SigningCertURL: `${CERTIFICATE_URL}?` }],
    ['a certificate with a fragment', { SigningCertURL: `${CERTIFICATE_URL}#1` }],
    ['a certificate in another spelling', { SigningCertURL: CERTIFICATE_URL.replace('sns.', 'SNS.') }],
    ['another file', { SigningCertURL: CERTIFICATE_URL.replace('SimpleNotificationService-', 'x/') }],
  ])('refuses %s, and fetches nothing', async (_, given) => {
    const { relay, files } = relayed();
    await expect(relay.read(snsBody(fields(given), chain.key))).rejects.toThrow(unauthorized);
    expect(files.fetched).toEqual([]);
  });

  it('refuses a changed message, another key, and another hash', async () => {
    const { relay } = relayed();
    const body = JSON.parse(snsBody(fields(), chain.key).toString());
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });
    const wrong = [
      { ...body, Message: `${body.Message} ` },
      { ...body, MessageId: 'another' },
      { ...body, Subject: 'added' },
      { ...body, SignatureVersion: '1' },
      { ...body, Signature: '' },
      { ...body, Signature: {} },
      JSON.parse(snsBody(fields(), other as string).toString()),
    ];
    for (const one of wrong) {
      await expect(relay.read(Buffer.from(JSON.stringify(one)))).rejects.toThrow(unauthorized);
    }
  });

  it.each(['stranger', 'expired', 'selfSigned', 'signedByLeaf', 'root'] as const)(
    'refuses a certificate that is %s',
    async (name) => {
      const { relay } = relayed(chain[name]);
      await expect(relay.read(snsBody(fields(), chain.key))).rejects.toThrow(unauthorized);
    },
  );

  it.each(['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'refuses an unreadable certificate: %j',
    async (text) => {
      await expect(relayed(text).relay.read(snsBody(fields(), chain.key))).rejects.toThrow(unauthorized);
    },
  );

  it('lets SNS send a message again whose certificate cannot be fetched', async () => {
    const files = new Files();
    const relay = new SesRelay([TOPIC], new SnsCertificates(files, [chain.root]), files);
    await expect(relay.read(snsBody(fields(), chain.key))).rejects.toThrow(
      expect.objectContaining({ statusCode: 503 }),
    );
  });

  it('does not wait long while many certificates come slowly', async () => {
    const files = { get: () => new Promise<Buffer>(() => {}) };
    const relay = new SesRelay([TOPIC], new SnsCertificates(files, [chain.root], 50), files);
    const messages = Array.from({ length: 9 }, (_, at) => {
      const SigningCertURL = `https://sns.us-west-2.amazonaws.com/SimpleNotificationService-${at}.pem`;
      return relay.read(snsBody(fields({ SigningCertURL }), chain.key)).catch((error: unknown) => error);
    });
    const away = { statusCode: 503, headers: { 'retry-after': '20' } };
    expect(await Promise.all(messages)).toEqual(Array(9).fill(expect.objectContaining(away)));
  });

  it.each(['', '[]', '7', '{'])('refuses %j, which is no message', async (text) => {
    await expect(relayed().relay.read(Buffer.from(text))).rejects.toThrow(expect.objectContaining({ statusCode: 400 }));
  });

  it('reads ten thousand recipients', async () => {
    const bouncedRecipients = Array.from({ length: 10_000 }, (_, at) => ({ emailAddress: `r${at}@example.com` }));
    const event = {
      eventType: 'Bounce',
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients },
    };
    const { reports } = await relayed().relay.read(snsBody(fields({ Message: JSON.stringify(event) }), chain.key));
    expect(reports).toHaveLength(10_000);
  });
});
