import { isSuppressed, RecipientAnswers, reportOf } from './recipient-answers.js';

describe('reportOf', () => {
  it.each([
    ['later-bounced+1@example.com', 'bounce'],
    ['Complained@example.com', 'complaint'],
    ['away@example.com', 'away'],
    ['bounced@example.com', undefined],
    ['anna@away.example.com', undefined],
  ])('%s causes %s', (address, kind) => {
    expect(reportOf(address)).toBe(kind);
  });
});

it.each([
  ['suppressed@example.com', true],
  ['Suppressed+2@example.com', true],
  ['anna@suppressed.example.com', false],
  ['away@example.com', false],
])('isSuppressed of %s is %s', (address, expected) => {
  expect(isSuppressed(address)).toBe(expected);
});

describe('RecipientAnswers', () => {
  const answers = new RecipientAnswers();
  const codes = (address: string, attempts: number) =>
    Array.from({ length: attempts }, () => answers.refusalOf(address)?.responseCode);

  it.each(['anna@example.com', 'not-bounced@example.com', 'anna@bounced.example.com'])('takes %s', (address) => {
    expect(codes(address, 2)).toEqual([undefined, undefined]);
  });

  it.each(['bounced@example.com', 'Bounced+1@example.com', '"bounced 2"@example.com'])('refuses %s', (address) => {
    expect(codes(address, 3)).toEqual([550, 550, 550]);
  });

  it('defers a delayed address twice, accepts it, and starts again', () => {
    expect(codes('delayed@example.com', 6)).toEqual([451, 451, undefined, 451, 451, undefined]);
  });

  it('counts for each address in any letter case', () => {
    expect(codes('delayed-a@example.com', 1)).toEqual([451]);
    expect(codes('delayed-b@example.com', 1)).toEqual([451]);
    expect(codes('DELAYED-A@example.com', 2)).toEqual([451, undefined]);
  });

  it('forgets the oldest of very many addresses', () => {
    codes('delayed-first@example.com', 2);
    for (let i = 0; i < 10_000; i += 1) answers.refusalOf(`delayed-${i}@example.net`);
    expect(codes('delayed-first@example.com', 1)).toEqual([451]);
  });
});
