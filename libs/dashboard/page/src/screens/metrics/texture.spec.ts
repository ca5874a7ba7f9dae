import { linesOf } from './texture';

const place = { x: 10, y: 20, width: 8, height: 12 };

describe('linesOf', () => {
  it('has lines within the piece, and none on its edge', () => {
    expect(linesOf('bounced', place)).toBe('M10,24h8M10,28h8');
    expect(linesOf('suppressed', place)).toBe('M14,20v12');
  });

  it('has none for a plain or small piece', () => {
    expect(linesOf('delivered', place)).toBe('');
    expect(linesOf('bounced', { ...place, height: 1 })).toBe('');
  });
});
