import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import type { StagedMessage } from '../../index.js';
import { SecretKeys } from '../../shared/keys/secret-keys.js';
import type { ReturnPathOptions } from './return-path.options.js';
import { ReturnPathStage } from './return-path.stage.js';
import { ReturnPathTokens } from './return-path-tokens.js';

const EMAIL = '0196a000-0000-7000-8000-0000000000ff';
const tokens = new ReturnPathTokens(new SecretKeys(['s'.repeat(32)]));
const staged = (some: Partial<StagedMessage> = {}): StagedMessage => ({
  accountId: 'one',
  emailId: EMAIL,
  fromDomain: 'from.test',
  topicId: null,
  transport: { name: 'mx.test:25', kind: 'smtp' },
  recipients: ['a@to.test', 'b@to.test'],
  envelope: { from: 'x@from.test', recipients: ['b@to.test'] },
  raw: Buffer.from('Subject: x\r\n\r\nX-SMTPAPI: in the body\r\n'),
  ...some,
});
const apply = (options: ReturnPathOptions, message = staged()) => new ReturnPathStage(options, tokens).apply(message);

describe('ReturnPathStage', () => {
  it('adds a reference to the only recipient of a message', async () => {
    const { headers, ...rest } = await apply({});
    expect(headers).toEqual([['X-Email-Ref', expect.any(String)]]);
    expect(tokens.read(headers?.[0]?.[1] ?? '')).toEqual({ emailId: EMAIL, recipient: 1 });
    expect(rest).toEqual({});
  });

  it('shares a token among several recipients', async () => {
    const { headers } = await apply({}, staged({ envelope: { from: '', recipients: ['a@to.test', 'b@to.test'] } }));
    expect(tokens.read(headers?.[0]?.[1] ?? '')).toEqual({ emailId: EMAIL, recipient: undefined });
  });

  it('sets a return path below the domain of the sender where that is ready', async () => {
    const directory = { returnPathOf: jest.fn(async (): Promise<string | undefined> => 'send.from.test') };
    const stage = new ReturnPathStage({ bounceDomain: 'bounces.test' }, tokens, directory);
    expect(stage.isImmediate).toBe(false);
    expect((await stage.apply(staged())).envelopeFrom).toMatch(/^b\+[a-z2-7]{47}@send\.from\.test$/);
    expect(directory.returnPathOf).toHaveBeenCalledWith('one', 'from.test');
    for (const none of [undefined, `${'x'.repeat(63)}.`.repeat(4)]) {
      directory.returnPathOf.mockResolvedValueOnce(none);
      expect((await stage.apply(staged())).envelopeFrom).toMatch(/@bounces\.test$/);
    }
    directory.returnPathOf.mockRejectedValueOnce(new Error('away'));
    await expect(stage.apply(staged())).rejects.toThrow('away');
    expect(await new ReturnPathStage({}, tokens, directory).apply(staged())).not.toHaveProperty('envelopeFrom');
  });

  it('sets the return path and requests reports where there is a bounce domain', async () => {
    const { headers, envelopeFrom, dsn } = await apply({ bounceDomain: 'bounces.test' });
    const token = headers?.[0]?.[1];
    expect(envelopeFrom).toBe(`b+${token}@bounces.test`);
    expect(dsn).toEqual({ ret: 'headers', envelopeId: token, notify: ['failure', 'delay'] });
    const confirmed = await apply({ bounceDomain: 'bounces.test', confirmDelivery: true });
    expect(confirmed.dsn?.notify).toEqual(['success', 'failure', 'delay']);
  });

  it('does nothing without a secret, and refuses a bounce domain then', async () => {
    const unsigned = new ReturnPathTokens(new SecretKeys([]));
    expect(await new ReturnPathStage({}, unsigned).apply(staged())).toEqual({ headers: [] });
    expect(() => new ReturnPathStage({ bounceDomain: 'bounces.test' }, unsigned)).toThrow('`secretKeys`');
  });

  it.each([
    ['ses', 'X-SES-MESSAGE-TAGS', `email_id=${EMAIL}`],
    ['postmark', 'X-PM-Metadata-email_id', EMAIL],
    ['mailgun', 'X-Mailgun-Variables', `{"email_id":"${EMAIL}"}`],
    ['sendgrid', 'X-SMTPAPI', `{"unique_args":{"email_id":"${EMAIL}"}}`],
  ] as const)('names the email to %s by its field', async (relay, name, value) => {
    expect((await apply({ relay })).headers?.[1]).toEqual([name, value]);
    const ofTransport = await apply({}, staged({ transport: { name: 'x', kind: relay } }));
    expect(ofTransport.headers?.[1]).toEqual([name, value]);
  });

  it.each([
    ['sendgrid', 'x-smtpapi: {}', 1],
    ['ses', 'X-SES-Message-Tags: a=b', 1],
    ['mailgun', 'X-Mailgun-Variables: {}', 2],
  ] as const)("respects a caller's own field of %s", async (relay, field, count) => {
    const message = `Subject: x\r\n${field}\r\n\r\nbody`;
    const large = () => Readable.from([...message].map((piece) => Buffer.from(piece)));
    for (const raw of [Buffer.from(message), large]) {
      expect((await apply({ relay }, staged({ raw }))).headers).toHaveLength(count);
    }
  });
});
