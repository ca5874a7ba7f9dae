import { senderDomain } from './sender-domain';

describe('senderDomain', () => {
  it('reads it behind the last @, in lower case', () => {
    expect(senderDomain('Jane <jane@Example.COM>')).toBe('example.com');
    expect(senderDomain('"a@b"@example.com')).toBe('example.com');
  });

  it('writes letters outside of ASCII as A-labels', () => {
    expect(senderDomain('a@bücher.example')).toBe('xn--bcher-kva.example');
    expect(senderDomain('a@b c')).toBe('b c');
  });
});
