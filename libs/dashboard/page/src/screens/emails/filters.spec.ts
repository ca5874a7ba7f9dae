import { readFilters, withoutPart } from './filters';

describe('filters', () => {
  it('are the names of the API, and short ones', () => {
    expect(readFilters('to:jane@a.test  state:bounced,delayed tag:order:12 tag:x after:2026-11-01')).toEqual({
      query: {
        to: ['jane@a.test'],
        last_event: ['bounced', 'delivery_delayed'],
        tag: ['order:12', 'x'],
        start_date: ['2026-11-01'],
      },
      parts: ['to:jane@a.test', 'state:bounced,delayed', 'tag:order:12', 'tag:x', 'after:2026-11-01'],
      problem: undefined,
    });
  });

  it.each([
    ['jane@a.test', 'Did you mean `to:jane@a.test`?'],
    ['colour:red', '`colour:red` is no filter'],
    ['to:', 'missing'],
    ['state:lost', 'There is no state `lost`'],
    ['constructor:x', 'is no filter'],
  ])('explain the problem of %s', (text, problem) => {
    expect(readFilters(text).problem).toContain(problem);
  });

  it('lose one part', () => {
    expect(withoutPart('to:a tag:b from:c', 1)).toBe('to:a from:c');
  });
});
