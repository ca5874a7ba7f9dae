import { lostWords, type Texts } from './lost-words.js';

const ERASED = 'erased@erased.invalid';
const BEFORE: Texts = {
  subject: 'Dear Jane, about shop 7',
  from: 'Shop <desk@shop.test>',
  to: ['Jane Döe <jane@person.test>', 'bob@person.test'],
  cc: ['Jane Döe <jane@person.test>'],
  bcc: [],
};

const lost = async (after: Partial<Texts>) =>
  (await lostWords([{ seq: '5', before: BEFORE, after: { ...BEFORE, ...after } }])).map(({ seq, term }) => {
    expect(seq).toBe('5');
    return term.replace(/^w:/, '');
  });

it('loses the words that no text has any more', async () => {
  const withoutJane = { to: [ERASED, 'bob@person.test'], cc: [ERASED] };
  expect(await lost({})).toEqual([]);
  expect(await lost(withoutJane)).toEqual(['doe']);
  expect(await lost({ ...withoutJane, subject: '' })).toEqual(['dear', 'jane', 'about', '7', 'doe']);
  expect(await lost({ subject: '', from: ERASED, to: [ERASED], cc: [ERASED] })).toEqual([
    'dear',
    'jane',
    'about',
    'shop',
    '7',
    'desk',
    'test',
    'doe',
    'person',
    'bob',
  ]);
});
