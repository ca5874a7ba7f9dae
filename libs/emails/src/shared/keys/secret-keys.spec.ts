import { SecretKeys } from './secret-keys.js';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);

describe('SecretKeys', () => {
  it('derives the same keys from the same secrets', () => {
    const key = new SecretKeys([OLD]).for('files v1').first;
    expect(new SecretKeys([OLD]).for('files v1').first).toEqual(key);
    // A change would invalidate all existing links.
    expect(key?.id).toBe('fPZTdUCxMhFj');
  });

  it('derives different keys for each purpose', () => {
    const [one, other] = ['files v1', 'webhooks v1'].map((purpose) => new SecretKeys([OLD]).for(purpose).first);
    expect(one?.id).not.toBe(other?.id);
    expect(one?.key).not.toEqual(other?.key);
  });

  it('uses the first and accepts the others', () => {
    const old = new SecretKeys([OLD]).for('files v1').first;
    const keys = new SecretKeys([NEW, OLD, NEW]).for('files v1');
    expect(keys.first).toEqual(new SecretKeys([NEW]).for('files v1').first);
    expect(keys.find(old?.id ?? '')).toEqual(old);
    expect(keys.find('other')).toBeUndefined();
  });

  it('has none without a secret', () => {
    expect(new SecretKeys([]).for('files v1').first).toBeUndefined();
  });
});
