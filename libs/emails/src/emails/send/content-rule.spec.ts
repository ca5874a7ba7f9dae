import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ContentRule } from './content-rule.js';

const MISSING = { statusCode: 422, name: 'missing_required_field', message: 'Missing `html` or `text` field.' };

describe('ContentRule', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});

  beforeEach(() => warn.mockClear());
  afterAll(() => warn.mockRestore());

  it.each([
    [null, null],
    ['', null],
    [null, ''],
    ['', ''],
  ])('refuses html %j with text %j if content is required', (html, text) => {
    expect(() => new ContentRule(true).check('a', html, text)).toThrow(expect.objectContaining(MISSING));
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['<p>', null],
    ['<p>', ''],
    [null, ' '],
  ])('accepts html %j with text %j', (html, text) => {
    new ContentRule(true).check('a', html, text);
    new ContentRule(false).check('a', html, text);
    expect(warn).not.toHaveBeenCalled();
  });

  it('warns once a minute about each account', () => {
    let now = 0;
    const rule = new ContentRule(false, () => now);
    const warned = (at: number, account: string) => {
      now = at;
      warn.mockClear();
      rule.check(account, null, null);
      return warn.mock.calls.length;
    };
    expect(warned(0, 'a')).toBe(1);
    expect(warned(30_000, 'b')).toBe(1);
    expect(warned(59_999, 'a')).toBe(0);
    expect(warned(60_000, 'a')).toBe(1);
    expect(warned(89_999, 'b')).toBe(0);
    expect(warned(119_999, 'a')).toBe(0);
    expect(warned(119_999, 'b')).toBe(1);
  });

  it('names the account, and the option that refuses', () => {
    new ContentRule(false).check('account-1', null, null);
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^Account account-1 .*`requireContent`/));
  });
});
