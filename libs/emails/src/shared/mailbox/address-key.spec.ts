import { addressKey } from './address-key.js';

describe('addressKey', () => {
  it.each([
    ['ada@example.com', 'ADA@EXAMPLE.COM'],
    ['ada@example.com', '"Ada"@example.com'],
    ['a b@example.com', '"A b"@example.com'],
    ['jörg@example.com', 'JO\u0308RG@example.com'],
    ['ασ@example.com', 'ΑΣ@example.com'],
    ['ada+news@example.com', 'Ada+News@example.com'],
  ])('is %s for %s', (key, envelope) => {
    expect(addressKey(envelope)).toBe(key);
    expect(addressKey(addressKey(envelope))).toBe(key);
  });

  it('distinguishes different mailboxes', () => {
    const addresses = ['a.b@example.com', 'ab@example.com', 'a.b@example.org', 'a.b+c@example.com', "a.b'@example.com"];
    expect(new Set(addresses.map(addressKey)).size).toBe(addresses.length);
  });
});
