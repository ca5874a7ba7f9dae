import { openText, sealText } from './sealed-text.js';
import type { DerivedKey } from './secret-keys.js';

const key = (fill: number): DerivedKey => ({ id: String(fill), key: Buffer.alloc(32, fill) });

describe('a sealed text', () => {
  it('opens with its key, at its place', () => {
    const sealed = sealText(key(1), 'here', 'Grüße 🦊');
    expect(sealed).not.toContain(Buffer.from('Grüße').toString('base64').slice(0, 6));
    expect(openText(key(1), 'here', sealed)).toBe('Grüße 🦊');
  });

  it('is different each time', () => {
    expect(sealText(key(1), 'here', 'text')).not.toBe(sealText(key(1), 'here', 'text'));
  });

  it.each<[string, (sealed: string) => string]>([
    ['with another key', (sealed) => openText(key(2), 'here', sealed)],
    ['at another place', (sealed) => openText(key(1), 'there', sealed)],
    ['once it was changed', (sealed) => openText(key(1), 'here', `${sealed.slice(0, -4)}AAAA`)],
    ['when it is cut off', (sealed) => openText(key(1), 'here', sealed.slice(0, 8))],
  ])('does not open %s', (_, open) => {
    const sealed = sealText(key(1), 'here', 'a longer text');
    expect(() => open(sealed)).toThrow();
  });
});
