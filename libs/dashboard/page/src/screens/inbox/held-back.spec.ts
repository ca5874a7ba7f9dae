import { heldBack, neighbourOf } from './held-back';

const entry = (id: string, second: number) => ({ id, received_at: `2026-11-23T05:00:0${second}.000Z` });
const [a, b, c] = [entry('a', 3), entry('b', 2), entry('c', 1)];

describe('heldBack', () => {
  it('holds nothing back from who is at the top', () => {
    expect(heldBack([a, b, c], undefined)).toEqual({ shown: [a, b, c], count: 0 });
    expect(heldBack([a, b, c], a)).toEqual({ shown: [a, b, c], count: 0 });
  });

  it('holds back what is newer than what was on top', () => {
    expect(heldBack([a, b, c], c)).toEqual({ shown: [c], count: 2 });
  });

  it('does so also when what was on top is gone', () => {
    expect(heldBack([a, c], b)).toEqual({ shown: [c], count: 1 });
  });

  it('shows what is new when nothing else is left', () => {
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
