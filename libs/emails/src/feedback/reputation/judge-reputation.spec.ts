import { judgeReputation, type OnReputation, sentenceOf } from './judge-reputation.js';
import { ReputationRing } from './reputation-ring.js';

const reputation = (recipients: number, bounces: number, complaints = 0, later = 0) => {
  const ring = new ReputationRing(recipients + later, new ReputationRing(recipients).with(bounces, complaints).entries);
  return { accountId: 'one', recent: ring.rates(1_000), longer: ring.rates(10_000) };
};

describe('judgeReputation', () => {
  it.each<[string, number, number, number, OnReputation, string]>([
    ['499 recipients', 499, 400, 400, 'hold', 'nothing'],
    ['1.9 % bounces', 1_000, 19, 0, 'hold', 'nothing'],
    ['2 % bounces', 1_000, 20, 0, 'warn', 'warn'],
    ['2 % bounces of 500', 500, 10, 0, 'warn', 'warn'],
    ['0.1 % complaints', 1_000, 0, 1, 'warn', 'warn'],
    ['4.9 % bounces, 0.2 % complaints', 1_000, 49, 2, 'hold', 'warn'],
    ['5 % bounces, without holds', 1_000, 50, 0, 'warn', 'warn'],
    ['5 % bounces', 1_000, 50, 0, 'hold', 'hold'],
    ['0.3 % complaints', 1_000, 0, 3, 'hold', 'hold'],
    ["the host's decision", 1_000, 0, 0, ({ accountId }) => (accountId === 'one' ? 'hold' : 'nothing'), 'hold'],
    ["the host's decision about few", 499, 0, 0, () => 'hold', 'nothing'],
  ])('%s', (_, recipients, bounces, complaints, rule, verdict) => {
    expect(judgeReputation(reputation(recipients, bounces, complaints), rule)).toBe(verdict);
  });

  it.each([
    ['25 bounces of 500', 500, 25, 0, 'warn'],
    ['49 bounces of 900', 900, 49, 0, 'warn'],
    ['50 bounces of 900', 900, 50, 0, 'hold'],
    ['2 complaints of 500', 500, 25, 2, 'hold'],
  ])(
    'holds for as many bounces as a bad hour needs while one may begin: %s',
    (_, recipients, bounces, complaints, verdict) => {
      const found = reputation(recipients, bounces, complaints);
      expect(judgeReputation(found, 'hold', true)).toBe(verdict);
      expect(judgeReputation(found, 'hold')).toBe('hold');
      expect(judgeReputation(found, () => 'hold', true)).toBe('hold');
    },
  );

  it('looks back on 10,000 recipients when the last 1,000 are good', () => {
    expect(judgeReputation(reputation(8_000, 480, 0, 1_500), 'hold')).toBe('hold');
    expect(judgeReputation(reputation(8_000, 480, 0, 10_500), 'hold')).toBe('nothing');
  });

  it("refuses another answer of the host's function", () => {
    expect(() => judgeReputation(reputation(500, 0), (() => undefined) as never)).toThrow('`onReputation` must return');
  });
});

describe('sentenceOf', () => {
  it('says both rates, of each window that differs', () => {
    expect(sentenceOf(reputation(600, 12, 1))).toBe('Of its last 600 recipients 2.00 % bounced and 0.17 % complained.');
    expect(sentenceOf(reputation(8_000, 400, 0, 1_500))).toBe(
      'Of its last 1,000 recipients 0.00 % bounced and 0.00 % complained, ' +
        'of its last 9,500 recipients 4.21 % bounced and 0.00 % complained.',
    );
  });
});
