import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSecretKey, secretKeyPath } from './secret-key-file.js';

describe('openSecretKey', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'secret-key-'));
  });

  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('generates a key of 256 bits that only its user can read, and returns it from then on', () => {
    const secret = openSecretKey(dataDir);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(statSync(secretKeyPath(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret-key']);
    expect(openSecretKey(dataDir)).toBe(secret);
  });

  it.each(['', 'too short', 'x'.repeat(300), `${'x'.repeat(40)} ${'y'.repeat(40)}`])(
    'stops the start for a file with %j, and does not change it',
    (content) => {
      writeFileSync(secretKeyPath(dataDir), content);
      expect(() => openSecretKey(dataDir)).toThrow(/^SECRET_KEY is not set, and .*secret-key does not hold a key/);
      expect(readFileSync(secretKeyPath(dataDir), 'utf8')).toBe(content);
    },
  );
});
