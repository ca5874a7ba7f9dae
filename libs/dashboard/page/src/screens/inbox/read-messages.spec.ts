import { withRead } from './read-messages';

describe('withRead', () => {
  it('adds an id once', () => {
    const read = withRead([], 'a');
    expect(read).toEqual(['a']);
    expect(withRead(read, 'a')).toBe(read);
  });

  it('forgets the oldest', () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `${i}`);
    expect(withRead(many, 'new')).toEqual([...many.slice(1), 'new']);
  });
});
