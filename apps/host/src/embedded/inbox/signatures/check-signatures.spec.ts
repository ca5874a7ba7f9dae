import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dkimSign } from 'mailauth';
import { DnsServer } from '../../../../../../test/support/dns/dns-server.js';
import { checkSignatures } from './check-signatures.js';
import type { DkimStatus } from './signature-check.js';

const MESSAGE = 'From: Shop <shop@example.com>\r\nTo: jane@to.test\r\nSubject: Order 1\r\n\r\nThank you.\r\n';
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const recordOf = (key: KeyObject) =>
  `v=DKIM1; k=rsa; p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;

describe('checkSignatures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'check-signatures-'));
  const file = join(folder, 'message.eml');
  const own = pair();
  const other = pair();
  const known = { selector: 'development', record: recordOf(own.publicKey) };
  let dns: DnsServer;

  beforeAll(async () => {
    dns = await DnsServer.start();
  });

  beforeEach(() => {
    dns.zone = { 's1._domainkey.other.test': { TXT: [recordOf(other.publicKey)] } };
  });

  afterAll(async () => {
    await dns.close();
    rmSync(folder, { recursive: true });
  });

  async function sign(
    message: string,
    signingDomain: string,
    selector: string,
    key: KeyObject,
    maxBodyLength?: number,
  ) {
    const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signature = { signingDomain, selector, privateKey, ...(maxBodyLength !== undefined && { maxBodyLength }) };
    const { signatures } = await dkimSign(message, {
      ...signature,
      canonicalization: 'relaxed/relaxed',
      // Else it takes the time twice, and the signature is wrong when a second ends in between.
      signTime: new Date(),
      signatureData: [signature],
    });
    return signatures + message;
  }

  const developed = (message = MESSAGE) => sign(message, 'example.com', 'development', own.privateKey);

  function check(message: string): Promise<DkimStatus> {
    writeFileSync(file, message);
    return checkSignatures({ file, known, dnsServers: [dns.address] });
  }

  it('verifies with the known key, without a look-up', async () => {
    dns.queries.length = 0;
    expect(await check(await developed())).toEqual({
      status: 'pass',
      signatures: [
        {
          domain: 'example.com',
          selector: 'development',
          algorithm: 'rsa-sha256',
          result: 'pass',
          aligned: true,
          reason: null,
        },
      ],
    });
    expect(dns.queries).toEqual([]);
  });

  it('looks up other keys, and says which signature is aligned', async () => {
    const twice = await sign(await developed(), 'other.test', 's1', other.privateKey);
    expect(await check(twice)).toMatchObject({
      status: 'pass',
      signatures: [
        { domain: 'other.test', selector: 's1', result: 'pass', aligned: false },
        { domain: 'example.com', selector: 'development', result: 'pass', aligned: true },
      ],
    });
  });

  it.each([
    ['a changed body', 'Thank you', 'Thank You', 'body hash did not verify'],
    ['a changed subject', 'Order 1', 'Order 2', 'bad signature'],
  ])('fails for %s', async (_, before, after, reason) => {
    const forged = (await developed()).replace(before, after);
    expect(await check(forged)).toMatchObject({ status: 'fail', signatures: [{ result: 'fail', reason }] });
  });

  it('fails for a key of another', async () => {
    expect(await check(await sign(MESSAGE, 'example.com', 'development', other.privateKey))).toMatchObject({
      status: 'fail',
    });
  });

  it('fails without a key in DNS, and does not know while DNS is away', async () => {
    const signed = await sign(MESSAGE, 'other.test', 's1', other.privateKey);
    dns.zone = {};
    expect(await check(signed)).toMatchObject({ status: 'fail', signatures: [{ reason: 'no key' }] });
    dns.zone = { 's1._domainkey.other.test': { fault: 'SERVFAIL' } };
    expect(await check(signed)).toMatchObject({
      status: 'temperror',
      signatures: [{ reason: 'DNS failure: ESERVFAIL' }],
    });
  });

  it('counts a signature of a part of the body as none', async () => {
    const signed = await sign(MESSAGE, 'example.com', 'development', own.privateKey, 5);
    expect(await check(`${signed}Added.\r\n`)).toMatchObject({
      status: 'fail',
      signatures: [{ reason: 'it covers only a part of the body' }],
    });
  });

  it.each([
    ['no signature', MESSAGE, 'none'],
    ['nothing', '', 'none'],
    ['a signature that cannot be read', `DKIM-Signature: v=1; a=x\r\n${MESSAGE}`, 'fail'],
    ['a signature without an end', `DKIM-Signature: ${'b'.repeat(10_000)}`, 'fail'],
    ['any bytes', `DKIM-Signature: \0\xff;;;d==\r\n\xfe${MESSAGE}`, 'fail'],
  ])('reads a message with %s', async (_, message, status) => {
    expect(await check(message)).toEqual({ status, signatures: [] });
  });

  it('lists ten of many signatures', async () => {
    const [signature = ''] = (await developed()).split(MESSAGE);
    const { status, signatures } = await check(signature.repeat(30) + MESSAGE);
    expect([status, signatures.length]).toEqual(['pass', 10]);
  });
});
