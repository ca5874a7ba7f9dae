import { jest } from '@jest/globals';
import { DashboardSignIn } from './dashboard-sign-in.js';

const HOUR = 3_600_000;

describe('DashboardSignIn', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('makes unguessable codes, each valid once', () => {
    const signIn = new DashboardSignIn();
    const code = signIn.codeFor('key');
    expect(Buffer.from(code, 'base64url')).toHaveLength(32);
    expect(signIn.codeFor('key')).not.toBe(code);
    expect(signIn.redeem(`${code}x`)).toBeUndefined();
    expect(signIn.redeem(code)).toBe('key');
    expect(signIn.redeem(code)).toBeUndefined();
  });

  it('expires codes after an hour', () => {
    const signIn = new DashboardSignIn();
    const [soon, late] = [signIn.codeFor('key'), signIn.codeFor('key')];
    jest.advanceTimersByTime(HOUR - 1);
    expect(signIn.redeem(soon)).toBe('key');
    jest.advanceTimersByTime(1);
    expect(signIn.redeem(late)).toBeUndefined();
  });

  it('keeps a hundred, the newest', () => {
    const signIn = new DashboardSignIn();
    const codes = Array.from({ length: 101 }, (_, index) => signIn.codeFor(`key ${index}`));
    expect(codes.map((code) => signIn.redeem(code)).filter(Boolean)).toHaveLength(100);
    expect(signIn.redeem(codes[0] ?? '')).toBeUndefined();
  });
});
