import { isSuppressed, RecipientAnswers, reportOf, SmtpRefusal } from './recipient-answers.js';

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
  const codes = (address: string, attempts: number, of = answers) =>
    Array.from({ length: attempts }, () => {
      const answer = of.answerTo(address);
      return answer instanceof SmtpRefusal ? answer.responseCode : answer;
    });

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

  it('has faults for mail to one address: late, closed once, too much for a minute, closed for ten', () => {
    const clock = { now: 0 };
    const faulty = new RecipientAnswers(() => clock.now);
    expect(codes('slow@example.com', 2, faulty)).toEqual([30_000, 30_000]);
    expect(codes('closed+1@example.com', 3, faulty)).toEqual(['close', undefined, 'close']);
    expect(codes('toomuch@example.com', 1, faulty)).toEqual([452]);
    expect(codes('dead@example.com', 1, faulty)).toEqual(['close']);
    clock.now = 59_999;
    expect(codes('TooMuch@example.com', 1, faulty)).toEqual([452]);
    clock.now = 60_000;
    expect(codes('toomuch@example.com', 1, faulty)).toEqual([undefined]);
    expect(codes('toomuch-2@example.com', 1, faulty)).toEqual([452]);
    clock.now = 599_999;
    expect(codes('dead@example.com', 1, faulty)).toEqual(['close']);
    clock.now = 600_000;
    expect(codes('dead@example.com', 1, faulty)).toEqual([undefined]);
  });

  it('forgets the oldest of very many addresses', () => {
    codes('delayed-first@example.com', 2);
    for (let i = 0; i < 10_000; i += 1) answers.answerTo(`delayed-${i}@example.net`);
    expect(codes('delayed-first@example.com', 1)).toEqual([451]);
  });
});
