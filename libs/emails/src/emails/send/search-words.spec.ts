import { SearchWords } from './search-words.js';

const EMAIL = {
  subject: 'Your order',
  from: 'Shop <shop@from.test>',
  to: ['jane@to.test'],
  cc: ['Zoë <z@cc.test>'],
  bcc: ['b@bcc.test'],
};
const wordsOf = (email: Partial<typeof EMAIL>) => new SearchWords(true).of({ ...EMAIL, ...email });
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

it('has each word of the subject and of from, to, cc and bcc once, and none where words are not indexed', () => {
  const words = ['your', 'order', 'shop', 'from', 'test', 'jane', 'to', 'zoe', 'z', 'cc', 'b', 'bcc'];
  expect(wordsOf({})).toEqual(words);
  expect(new SearchWords(false).of(EMAIL)).toEqual([]);
});

it('has at most 32 words: 16 of the subject, then those of mailboxes, then the rest of the subject', () => {
  const subject = numbered('s', 100).join(' ');
  const few = wordsOf({ subject });
  expect(few).toHaveLength(32);
  expect(few.slice(16, 26)).toEqual(['shop', 'from', 'test', 'jane', 'to', 'zoe', 'z', 'cc', 'b', 'bcc']);
  expect(few.at(-1)).toBe('s21');
  const many = wordsOf({ subject, to: numbered('t', 50).map((name) => `${name}@to.test`) });
  expect(many).toHaveLength(32);
  expect(many.slice(0, 16)).toEqual(numbered('s', 16));
  expect(many.at(-1)).toBe('t11');
});

it('reads no more mailboxes once it has read 8,000 characters of them', () => {
  const long = numbered('t', 10).map((name) => `${'n'.repeat(890)} <${name}@to.test>`);
  const words = wordsOf({ to: [...long, 'needle@to.test'] });
  expect(words).toContain('t8');
  expect(words).not.toContain('t9');
  expect(words).not.toContain('needle');
});
