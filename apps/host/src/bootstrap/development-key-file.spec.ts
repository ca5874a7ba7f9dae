import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentKeyPath, openDevelopmentKey, recordOf } from './development-key-file.js';

const pemOf = (bits: number) =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

describe('openDevelopmentKey', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'development-key-')), 'data');
  });

  afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }));

  it('generates a key that only its user can read, and returns it from then on', async () => {
    const made = await openDevelopmentKey(dataDir);
    expect(made).toMatchObject({ selector: 'development', algorithm: 'rsa' });
    expect(made.key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(statSync(developmentKeyPath(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['dkim-key']);
    expect((await openDevelopmentKey(dataDir)).key.equals(made.key)).toBe(true);
    expect(recordOf(made)).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{300,}={0,2}$/);
  });

  it('gives processes that start at once the same key', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => openDevelopmentKey(dataDir)));
    for (const { key } of made) expect(key.equals(made[0]!.key)).toBe(true);
    expect(readdirSync(dataDir)).toEqual(['dkim-key']);
  });

  it.each([
    ['nothing', ''],
    ['no key', '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n'],
    ['a short key', pemOf(1024)],
    [
      'a key of another kind',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
  ])('stops the start for a file with %s, and neither changes nor quotes it', async (_, content) => {
    await openDevelopmentKey(dataDir);
    writeFileSync(developmentKeyPath(dataDir), content);
    const refused = openDevelopmentKey(dataDir);
    await expect(refused).rejects.toThrow(/^.*dkim-key does not hold an RSA key of 2048 bits or more in PEM\./);
    await expect(refused).rejects.not.toThrow(/c2VjcmV0/);
    expect(readFileSync(developmentKeyPath(dataDir), 'utf8')).toBe(content);
  });
});
