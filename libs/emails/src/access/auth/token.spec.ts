import { createHash } from 'node:crypto';
import { generateToken, hashToken, TOKEN_PATTERN, tokenStart } from './token.js';

describe('tokens', () => {
  it('carry 256 random bits behind their prefix', () => {
    const token = generateToken();
    expect(token).toMatch(/^re_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token.slice(3), 'base64url')).toHaveLength(32);
    expect(token).toMatch(TOKEN_PATTERN);
  });

  it('differ', () => {
    expect(new Set(Array.from({ length: 100 }, generateToken)).size).toBe(100);
  });

  it('are kept as SHA-256', () => {
    expect(hashToken('re_abc')).toEqual(createHash('sha256').update('re_abc').digest());
  });

  it.each([
    [`re_4kXb2${'x'.repeat(38)}`, 're_4kXb2'],
    ['sixteen-long-one', 'sixt'],
    ['8-longer', '8-'],
  ])('of %s shows the first characters, at most a quarter', (token, start) => {
    expect(tokenStart(token)).toBe(start);
  });
});
