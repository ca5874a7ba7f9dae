import { SecretKeys } from '../../shared/keys/secret-keys.js';
import { type SealedSecret, SealedSecrets, UnknownKeyError } from './sealed-secrets.js';

const ID = '0198f0c1-0000-7000-8000-000000000000';
const HOUR = 3_600_000;
const secretsOf = (...keys: string[]) => new SealedSecrets(new SecretKeys(keys.map((key) => key.repeat(32))));

describe('SealedSecrets', () => {
  it('opens its sealed secrets, for that webhook alone, and does not reveal them', () => {
    const secrets = secretsOf('a');
    const { secret, sealed } = secrets.make(ID);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(sealed)).not.toContain(secret.slice(6));
    expect(secrets.valid(ID, [sealed])).toEqual([secret]);
    expect(() => secrets.valid(ID.replace('c1', 'c2'), [sealed])).toThrow(UnknownKeyError);
  });

  it('opens those of an older key, and says when the key of the newest is gone', () => {
    const { secret, sealed } = secretsOf('a').make(ID);
    expect(secretsOf('b', 'a').valid(ID, [sealed])).toEqual([secret]);
    expect(() => secretsOf('b').valid(ID, [sealed])).toThrow(UnknownKeyError);
  });

  it('keeps up to two old secrets, each until it expires', () => {
    const secrets = secretsOf('a');
    const made = Array.from({ length: 4 }, () => secrets.make(ID));
    let kept: SealedSecret[] = [];
    for (const [hour, { sealed }] of made.entries()) kept = secrets.rotated(kept, sealed, hour * HOUR);
    const valid = (hour: number) => secrets.valid(ID, kept, hour * HOUR);
    const [, second, third, fourth] = made.map(({ secret }) => secret);
    expect(valid(3)).toEqual([fourth, third, second]);
    expect(valid(26.5)).toEqual([fourth, third]);
    expect(valid(27.5)).toEqual([fourth]);
  });

  it('leaves out secrets that it can no longer open', () => {
    const lost = secretsOf('a').make(ID).sealed;
    const fresh = secretsOf('b').make(ID).sealed;
    expect(secretsOf('b').rotated([lost], fresh)).toEqual([fresh]);
  });

  it('makes none without a key', () => {
    expect(() => secretsOf().make(ID)).toThrow('SECRET_KEY');
  });
});
