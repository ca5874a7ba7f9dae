import { heldBack, neighbourOf } from './held-back';

const entry = (id: string, second: number) => ({ id, received_at: `2026-11-23T05:00:0${second}.000Z` });
const [a, b, c] = [entry('a', 3), entry('b', 2), entry('c', 1)];

describe('heldBack', () => {
  it('holds nothing back from a reader at the top', () => {
    expect(heldBack([a, b, c], undefined)).toEqual({ shown: [a, b, c], count: 0 });
    expect(heldBack([a, b, c], a)).toEqual({ shown: [a, b, c], count: 0 });
  });

  it('holds back messages newer than the former top', () => {
    expect(heldBack([a, b, c], c)).toEqual({ shown: [c], count: 2 });
  });

  it('does so also after the former top was deleted', () => {
    expect(heldBack([a, c], b)).toEqual({ shown: [c], count: 1 });
  });

  it('shows new messages when no others are left', () => {
    expect(heldBack([a], b)).toEqual({ shown: [a], count: 0 });
    expect(heldBack([], b)).toEqual({ shown: [], count: 0 });
  });
});

describe('neighbourOf', () => {
  it.each([
    ['a', 'b'],
    ['c', 'b'],
    ['x', undefined],
  ])('shows after %s: %s', (id, next) => {
    expect(neighbourOf([a, b, c], id)?.id).toBe(next);
  });

  it('shows nothing after the last', () => {
    expect(neighbourOf([a], 'a')).toBeUndefined();
  });
});
