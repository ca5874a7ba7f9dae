import { readSearch, valuesOf, withValues } from './search-text';

const NOW = Date.parse('2026-11-23T14:35:12Z');
const ID = '3f0c8a52-7c1e-4d7b-9a44-0d6a5b1c2e3f';
const read = (text: string) => readSearch(text, NOW);
const queryOf = (text: string) => {
  const { query, problem } = read(text);
  expect(problem).toBeUndefined();
  return query;
};

describe('a search', () => {
  it('has words and filters in any order', () => {
    expect(queryOf('order  to:jane@a.test 1182 state:bounced,delayed tag:order:12 tag:x')).toEqual({
      search: ['order 1182'],
      to: ['jane@a.test'],
      last_event: ['bounced', 'delivery_delayed'],
      tag: ['order:12', 'x'],
    });
  });

  it('takes an address, a part of one, and quoted words as words', () => {
    expect(queryOf('jane@a.test')).toEqual({ search: ['jane@a.test'] });
    expect(queryOf('jane')).toEqual({ search: ['jane'] });
    expect(queryOf('"state:bounced" #1182')).toEqual({ search: ['state:bounced #1182'] });
    expect(queryOf('Re: your order at 12:30')).toEqual({ search: ['Re your order at 12:30'] });
  });

  it('knows other names, letter cases and quoted values of filters', () => {
    expect(queryOf('Status:Failed FROM:"shop@a.test" topic:'.concat(ID))).toEqual({
      last_event: ['failed'],
      from: ['shop@a.test'],
      topic_id: [ID],
    });
    expect(queryOf('transport:mx.a.test:25')).toEqual({ transport: ['mx.a.test:25'] });
    expect(queryOf('from:a.test')).toEqual({ from: ['@a.test'] });
    expect(queryOf('to:"jane doe"@a.test order')).toEqual({ to: ['"jane doe"@a.test'], search: ['order'] });
  });

  it('opens a pasted id, and finds a message id', () => {
    expect(read(` ${ID.toUpperCase()} `)).toEqual({ query: {}, emailId: ID, problem: undefined });
    for (const text of [`<${ID}@a.test>`, `${ID}@a.test`, `message_id:<${ID}@a.test>`]) {
      expect(queryOf(text)).toEqual({ message_id: [`<${ID}@a.test>`] });
    }
    expect(queryOf('<abc.1@mail.a.test>')).toEqual({ message_id: ['<abc.1@mail.a.test>'] });
  });

  it('has times', () => {
    expect(queryOf('after:24h before:2026-11-23T14:00Z')).toEqual({
      start_date: ['2026-11-22T14:35:00.000Z'],
      end_date: ['2026-11-23T14:00:00.000Z'],
    });
  });

  it.each([
    ['colour:red', 'There is no filter “colour:”'],
    ['constructor:x', 'There is no filter “constructor:”'],
    ['https://a.test', 'There is no filter “https:”'],
    ['to:', 'has no value'],
    ['to:jane', 'write only jane'],
    ['to:a@a.test to:b@a.test', 'can be used once'],
    ['state:lost', 'There is no state “lost”'],
    ['state:constructor', 'There is no state “constructor”'],
    ['state:__proto__', 'There is no state “__proto__”'],
    ['after:soon', '“soon” is no time'],
    ['after:2026-13-45', 'is no time'],
    ['topic:news', 'takes the id of a topic'],
    ['!!! …', 'has no letter and no digit'],
    ['a b c d e f g h i j k l m n o p q', 'at most 16 different words'],
  ])('is not understood: %s', (text, problem) => {
    expect(read(text).problem).toContain(problem);
  });

  it('reads any text', () => {
    for (const text of ['', '  ', ':', '::', '"', '"""', 'to:"', '\u202e:x', 'x'.repeat(10_000)]) {
      expect(typeof read(text).query).toBe('object');
    }
  });
});

describe('selects', () => {
  it('read the typed values', () => {
    expect(valuesOf('x status:bounced,failed y', 'last_event')).toEqual(['bounced', 'failed']);
    expect(valuesOf('x', 'last_event')).toEqual([]);
  });

  it('change their filters under any name, and leave the rest as it was typed', () => {
    expect(withValues('"a b" status:bounced to:x@a.test', { state: 'failed' })).toBe('"a b" to:x@a.test state:failed');
    expect(withValues('order state:failed', { state: null })).toBe('order');
    expect(withValues('start_date:2026-01-01 before:2026-02-01', { after: '7d', before: null })).toBe('after:7d');
    expect(withValues('', { from: 'a b@a.test' })).toBe('from:"a b@a.test"');
  });
});
