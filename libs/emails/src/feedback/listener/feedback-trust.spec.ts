import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { FeedbackTrust } from './feedback-trust.js';
import { type ToVerify, verifySignatures } from './verify-signatures.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const MESSAGE = 'From: staff@provider.test\r\nSubject: complaint\r\n\r\nabuse\r\n';

async function signed(domain: string, some: object = {}): Promise<Buffer> {
  const signing = {
    signingDomain: domain,
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  const { signatures } = await dkimSign(MESSAGE, {
    canonicalization: 'relaxed/relaxed',
    // Else it takes the time twice, and the signature is wrong when a second ends in between.
    signTime: new Date(),
    signatureData: [signing],
    ...some,
  } as never);
  return Buffer.from(signatures + MESSAGE);
}

const asked: string[] = [];
const verified: ToVerify[] = [];
const verify = (given: ToVerify) => {
  verified.push(given);
  return verifySignatures(given);
};
const dns = async (name: string) => {
  asked.push(name);
  if (name.includes('broken')) throw Object.assign(new Error('SERVFAIL'), { code: 'ESERVFAIL' });
  return [[`v=DKIM1; k=rsa; p=${KEY}`]];
};
const trust = async (feedbackSenders: readonly string[] | 'anyone') => {
  const trusting = await FeedbackTrust.of({ feedbackSenders }, { verify }, dns);
  return { admits: (message: Buffer) => trusting.admits(message, '192.0.2.1') };
};

beforeEach(() => {
  asked.length = 0;
  verified.length = 0;
});

describe('FeedbackTrust', () => {
  it('admits a report that a named sender signed', async () => {
    expect(await (await trust(['Provider.test'])).admits(await signed('provider.test'))).toBe(true);
  });

  it.each([
    ['of another sender', async () => signed('evil.test')],
    ['of a subdomain', async () => signed('a.provider.test')],
    ['that is changed', async () => Buffer.from(String(await signed('provider.test')).replace('abuse', 'fraud'))],
    ['without a signature', async () => Buffer.from(MESSAGE)],
    [
      'that was signed in part',
      async () => Buffer.concat([await signed('provider.test', { maxBodyLength: 5 }), Buffer.from('more')]),
    ],
  ])('refuses a report %s', async (_, message) => {
    expect(await (await trust(['provider.test'])).admits(await message())).toBe(false);
  });

  it('looks up no key of strangers, and gives up at many signatures', async () => {
    const admission = await trust(['provider.test']);
    expect(await admission.admits(await signed('evil.test'))).toBe(false);
    const one = String(await signed('provider.test')).split('From:')[0] as string;
    expect(await admission.admits(Buffer.from(one.repeat(11) + MESSAGE))).toBe(false);
    expect(asked).toEqual([]);
  });

  it.each([
    ['many lines', `X-A: b\r\n${' a\r\n'.repeat(200_000)}`],
    ['many bytes', `X-A: ${'b'.repeat(70_000)}\r\n`],
    ['many signatures with a blank', 'DKIM-Signature : v=1; l=1\r\n'.repeat(11)],
  ])('does not verify a header of %s, which would take seconds', async (_, fields) => {
    const admission = await trust(['provider.test']);
    const message = Buffer.from(fields + String(await signed('provider.test')));
    const before = process.cpuUsage();
    expect(await admission.admits(message)).toBe(false);
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
    expect(asked).toEqual([]);
  });

  it.each([
    ['by strangers', 'd=evil.test'],
    ['by a subdomain', 'd=a.provider.test'],
    ['of a part', 'd=provider.test; l=900000'],
    ['of a part, in capitals', 'd=provider.test; L = 900000'],
    ['with a tag given twice', 'd=provider.test; d=provider.test'],
    ['with a comment that hides a tag', 'd=provider.test; (x)l=900000'],
    ['with a tag that has no value', 'd=provider.test; l'],
    ['with a strange selector', 'd=provider.test; s=a b'],
    ['of many bytes, which would take seconds', `d=provider.test; z=${':'.repeat(6_000)}`],
  ])('spends nothing on signatures %s', async (_, tags) => {
    const selector = tags.includes('s=') ? '' : ' s=s1;';
    const fields = Array.from(
      { length: 10 },
      () => `DKIM-Signature: v=1; a=rsa-sha256;${selector} h=from; bh=AA; ${tags}; b=AA\r\n`,
    );
    const admission = await trust(['provider.test']);
    expect(await admission.admits(Buffer.from(fields.join('') + MESSAGE))).toBe(false);
    expect([asked, verified]).toEqual([[], []]);
  });

  it('verifies the first two signatures of named senders, without those of others', async () => {
    const one = String(await signed('provider.test')).split('From:')[0] as string;
    const stranger = String(await signed('evil.test')).split('From:')[0] as string;
    const sealed = 'ARC-Seal: i=1; a=rsa-sha256; d=provider.test; s=s1; cv=none; b=AA\r\n';
    const forged = 'dkim-signature :\r\n\tv=1; a=rsa-sha256; d=Provider.Test; s=S1; h=from; bh=AA; b=AA\r\n';
    const admission = await trust(['provider.test']);
    const admits = (fields: string) => admission.admits(Buffer.from(fields + MESSAGE));
    expect(await admits(stranger + sealed + forged + stranger + one)).toBe(true);
    expect(String(verified[0]?.message)).toBe(forged + one + MESSAGE);
    expect(asked).toEqual(['s1._domainkey.provider.test', 's1._domainkey.provider.test']);
    expect(await admits(forged + forged + one)).toBe(false);
    expect(String(verified[1]?.message)).toBe(forged + forged + MESSAGE);
  });

  it('does not verify a body of many lines, which would take gigabytes', async () => {
    const admission = await trust(['provider.test']);
    const long = Buffer.concat([await signed('provider.test'), Buffer.alloc(80_000, ' \n')]);
    expect(await admission.admits(long)).toBe(false);
    expect([asked, verified]).toEqual([[], []]);
  });

  it('does not know while the key cannot be looked up', async () => {
    const admission = await trust(['broken.test']);
    await expect(admission.admits(await signed('broken.test'))).rejects.toMatchObject({ name: 'SignatureUnknown' });
  });

  it('admits nobody by default, and anyone where strangers cannot reach it', async () => {
    expect(await (await trust([])).admits(await signed('provider.test'))).toBe(false);
    expect(await (await trust('anyone')).admits(Buffer.from(MESSAGE))).toBe(true);
  });
});
