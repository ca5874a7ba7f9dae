import { SecretKeys } from 'nestjs-emails';
import { IDLE, LONGEST, SessionTokens } from './session-token.js';

const NOW = Date.parse('2026-11-23T05:00:00Z');
const tokensOf = (...secrets: string[]) => new SessionTokens(new SecretKeys(secrets).for('dashboard sessions v1'));

describe('SessionTokens', () => {
  const tokens = tokensOf('a'.repeat(32));
  const claims = tokens.begin('key', NOW);
  const signed = tokens.sign(claims);

  it('reads its own tokens until the session ends', () => {
    expect(tokens.read(tokens.signer, signed, NOW)).toEqual(claims);
    expect(tokens.read(tokens.signer, signed, NOW + IDLE - 1)).toEqual(claims);
    expect(tokens.read(tokens.signer, signed, NOW + IDLE)).toBeUndefined();
    const used = tokens.sign({ ...claims, idleUntil: NOW + 2 * LONGEST });
    expect(tokens.read(tokens.signer, used, NOW + LONGEST - 1)).toBeDefined();
    expect(tokens.read(tokens.signer, used, NOW + LONGEST)).toBeUndefined();
  });

  it.each([
    '',
    '.',
    'x',
    signed.slice(0, -1),
    `${signed}A`,
    signed.replace('.', 'A.'),
    `${signed.split('.')[0]}.`,
    `${signed.split('.')[0]}.ü`,
  ])('accepts no other token: %s', (token) => {
    expect(tokens.read(tokens.signer, token, NOW)).toBeUndefined();
  });

  it('accepts tokens of a secret that is being replaced, and none of a stranger', () => {
    const rotated = tokensOf('b'.repeat(32), 'a'.repeat(32));
    expect(rotated.read(tokens.signer, signed, NOW)).toEqual(claims);
    expect(rotated.isPageToken(claims, tokens.pageToken(claims))).toBe(true);
    const stranger = tokensOf('c'.repeat(32));
    expect(stranger.read(tokens.signer, signed, NOW)).toBeUndefined();
    expect(stranger.read(stranger.signer, signed, NOW)).toBeUndefined();
  });

  it('accepts a page token from before a secret was replaced, after the cookie was signed again', () => {
    const rotated = tokensOf('b'.repeat(32), 'a'.repeat(32));
    expect(rotated.isPageToken(claims, tokens.pageToken(claims))).toBe(true);
    expect(tokensOf('b'.repeat(32)).isPageToken(claims, tokens.pageToken(claims))).toBe(false);
  });

  it('gives each session a different page token', () => {
    const other = tokens.begin('key', NOW);
    expect(tokens.isPageToken(claims, tokens.pageToken(claims))).toBe(true);
    expect(tokens.isPageToken(claims, tokens.pageToken(other))).toBe(false);
    expect(tokens.isPageToken(claims, '')).toBe(false);
  });
});
