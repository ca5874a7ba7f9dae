import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { SecretKeys } from '../../../shared/keys/secret-keys.js';
import { LINK_KINDS } from './link-token.js';
import { Links } from './links.js';

const SECRET = 's'.repeat(32);
const HOUR = 3_600_000;
const ADDRESS = 'https://mail.test/api';

const wanted = { kind: LINK_KINDS.attachment, accountId: 'acme', emailId: randomUUID(), position: 70_000 };
const links = (secrets: string[], address: string | undefined = ADDRESS) =>
  new Links(new SecretKeys(secrets), () => address, HOUR);
const parts = (url: string): [string, string] => url.split('/').slice(-2) as [string, string];

describe('Links', () => {
  const ours = links([SECRET]);
  const [kid, token] = parts(ours.make(wanted, ours.expiry()));

  afterEach(() => jest.useRealTimers());

  it('name their target and account', () => {
    expect(ours.make(wanted, ours.expiry())).toMatch(/^https:\/\/mail\.test\/api\/files\/[\w-]{12}\/[\w-]{80}$/);
    const link = ours.read(kid, token);
    expect(link).toMatchObject({ kind: wanted.kind, emailId: wanted.emailId, position: 70_000 });
    expect([link?.isOf('acme'), link?.isOf('other')]).toEqual([true, false]);
  });

  it('do not reveal the account', () => {
    const long = ours.make({ ...wanted, accountId: 'x'.repeat(255) }, ours.expiry());
    expect(parts(long)[1]).toHaveLength(80);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('acme');
  });

  it('are valid in every process with the secret, also when it is no longer the first', () => {
    expect(links([SECRET]).read(kid, token)).toBeDefined();
    expect(links(['n'.repeat(32), SECRET]).read(kid, token)).toBeDefined();
    expect(links(['n'.repeat(32)]).read(kid, token)).toBeUndefined();
    const [newKid, newToken] = parts(links(['n'.repeat(32), SECRET]).make(wanted, Date.now() + HOUR));
    expect(ours.read(newKid, newToken)).toBeUndefined();
    expect(ours.read(kid, newToken)).toBeUndefined();
  });

  it('expire', () => {
    jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: ['performance'] });
    const [id, fresh] = parts(ours.make(wanted, ours.expiry(60_000)));
    jest.setSystemTime(1_800_000_059_999);
    expect(ours.read(id, fresh)).toBeDefined();
    jest.setSystemTime(1_800_000_060_000);
    expect(ours.read(id, fresh)).toBeUndefined();
  });

  it('are invalid after a change of a single bit or character', () => {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes);
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(ours.read(kid, forged.toString('base64url'))).toBeUndefined();
    }
    const others = [token.slice(1), `${token}A`, `${token}=`, ` ${token}`, `${token}\n`, token.replace(/^./, '+'), ''];
    for (const other of others) expect(ours.read(kid, other)).toBeUndefined();
    for (const other of ['', kid.slice(1), `${kid}A`, '__proto__']) expect(ours.read(other, token)).toBeUndefined();
  });

  it('are neither made nor accepted without a secret or an address', () => {
    const without = { statusCode: 422, message: expect.stringContaining('`secretKeys`') };
    expect(() => links([]).expiry()).toThrow(expect.objectContaining(without));
    expect(links([]).read(kid, token)).toBeUndefined();
    const nowhere = { statusCode: 422, message: expect.stringContaining('`publicUrl`') };
    const lost = new Links(new SecretKeys([SECRET]), () => undefined, HOUR);
    expect(() => lost.expiry()).toThrow(expect.objectContaining(nowhere));
    expect(lost.read(kid, token)).toBeDefined();
  });
});
