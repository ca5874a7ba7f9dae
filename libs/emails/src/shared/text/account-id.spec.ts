import { wrongAccountId } from './account-id.js';

describe('wrongAccountId', () => {
  it.each(['a', ' ', 'Käse', '𝒜'.repeat(255), 'a'.repeat(255)])('accepts %j as an account', (id) => {
    expect(wrongAccountId(id)).toBeUndefined();
  });

  it.each([undefined, null, 1, 10n, {}, ['a'], Symbol('a')])('requires a string instead of %p', (id) => {
    expect(wrongAccountId(id)).toBe('must be a string');
  });

  it.each(['', 'a'.repeat(256), '𝒜'.repeat(256)])('bounds the length of %j', (id) => {
    expect(wrongAccountId(id)).toBe('must have between 1 and 255 characters');
  });

  it.each(['a\0', '\ud800', '\udc00a'])('refuses %j, which cannot be stored', (id) => {
    expect(wrongAccountId(id)).toBe('must be well-formed Unicode without NUL');
  });
});
