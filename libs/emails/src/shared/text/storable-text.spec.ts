import fc from 'fast-check';
import { storableText } from './storable-text.js';

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

describe('storableText', () => {
  it('keeps storable text unchanged', () => {
    const text = '250 2.0.0 Ok: queued — 🙂 日本\r\n';
    expect(storableText(text, 500)).toBe(text);
  });

  it('replaces NUL and halves of surrogate pairs', () => {
    expect(storableText('a\0b\ud83dc\ude42', 500)).toBe('a\ufffdb\ufffdc\ufffd');
  });

  it('never cuts a character in half', () => {
    expect(storableText(`${'x'.repeat(499)}🙂 and more`, 500)).toBe(`${'x'.repeat(499)}🙂`);
    expect(storableText('🙂'.repeat(600), 500)).toBe('🙂'.repeat(500));
    expect(storableText(`x${'🙂'.repeat(600)}`, 500)).toBe(`x${'🙂'.repeat(499)}`);
  });

  it('returns well-formed text without NUL and within the limit for any input', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 20 }), (text, max) => {
        const stored = storableText(text, max);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toContain('\0');
        expect([...stored].length).toBe(Math.min(max, [...text].length));
      }),
    );
  });
});
