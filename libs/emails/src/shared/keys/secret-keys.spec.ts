import { SecretKeys } from './secret-keys.js';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);

describe('SecretKeys', () => {
  it('gives the same keys wherever the secrets are the same', () => {
    const key = new SecretKeys([OLD]).for('files v1').first;
    expect(new SecretKeys([OLD]).for('files v1').first).toEqual(key);
    // Links that are under way would be worth nothing after a change of it.
    expect(key?.id).toBe('fPZTdUCxMhFj');
  });

  it('gives each purpose keys of its own', () => {
    const [one, other] = ['files v1', 'webhooks v1'].map((purpose) => new SecretKeys([OLD]).for(purpose).first);
    expect(one?.id).not.toBe(other?.id);
    expect(one?.key).not.toEqual(other?.key);
  });

  it('has the first in use and knows the others', () => {
    const old = new SecretKeys([OLD]).for('files v1').first;
    const keys = new SecretKeys([NEW, OLD, NEW]).for('files v1');
    expect(keys.first).toEqual(new SecretKeys([NEW]).for('files v1').first);
    expect(keys.find(old?.id ?? '')).toEqual(old);
    expect(keys.find('other')).toBeUndefined();
  });

  it('has none where there is no secret', () => {
    expect(new SecretKeys([]).for('files v1').first).toBeUndefined();
  });
});
