import { isBad, isOfFewAccounts, limitRate, type OperatorCounts } from './judge-hour.js';

const counts = (given: Partial<OperatorCounts>): OperatorCounts => ({
  refusals: 0,
  ownRefusals: 0,
  own: 0,
  others: 0,
  ...given,
});
const own = (refusals: number, recipients: number) => counts({ refusals, ownRefusals: refusals, own: recipients });
const foreign = (refusals: number, recipients: number) => counts({ refusals, others: recipients });

describe('a bad hour', () => {
  it('is a rate of 25 % while a week of data is missing', () => {
    expect(limitRate(own(0, 0), undefined)).toBe(0.25);
    expect(isBad(own(50, 200), 0.25)).toBe(true);
    expect(isBad(own(50, 201), 0.25)).toBe(false);
  });

  it('has 50 refusals at least', () => {
    expect(isBad(own(49, 49), 0.25)).toBe(false);
    expect(isBad(own(50, 50), 0.25)).toBe(true);
  });

  it('is five times the usual rate', () => {
    expect(limitRate(own(60, 100), own(100, 10_000))).toBe(0.05);
    expect(isBad(own(60, 1_200), 0.05)).toBe(true);
    expect(isBad(own(60, 1_201), 0.05)).toBe(false);
    expect(limitRate(own(60, 100), own(0, 10_000))).toBe(0);
  });

  it('is judged by recipients at domains of the operator, whatever else was sent', () => {
    expect(isBad({ ...own(60, 100), others: 100_000 }, 0.25)).toBe(true);
  });

  it('is judged by domains of nobody where most refusals are there', () => {
    expect(isBad({ ...foreign(60, 100), own: 100_000 }, 0.25)).toBe(true);
    expect(isBad(foreign(60, 1_000), 0.25)).toBe(false);
    expect(limitRate(foreign(60, 100), { ...foreign(100, 10_000), own: 5, ownRefusals: 0 })).toBe(0.05);
  });

  it('may have more refusals than recipients, which were sent to before', () => {
    expect(isBad(own(60, 3), 1)).toBe(true);
    expect(isBad(own(60, 3), 1.5)).toBe(false);
  });
});

describe('the fault of few accounts', () => {
  it('is a bad rate that the others do not have, from 50 of their recipients on', () => {
    const worst = own(180, 200);
    expect(isOfFewAccounts(own(181, 249), worst, 0.25)).toBe(false);
    expect(isOfFewAccounts(own(181, 250), worst, 0.25)).toBe(true);
    // 12 and 13 of 50.
    expect(isOfFewAccounts(own(192, 250), worst, 0.25)).toBe(true);
    expect(isOfFewAccounts(own(193, 250), worst, 0.25)).toBe(false);
  });

  it('is none of an account alone, or of the worst of many', () => {
    expect(isOfFewAccounts(own(60, 60), own(60, 60), 0.25)).toBe(false);
    expect(isOfFewAccounts(own(600, 1_000), own(30, 50), 0.25)).toBe(false);
  });

  it('is looked at where the bad rate is', () => {
    const worst = { ...foreign(60, 60), own: 0 };
    expect(isOfFewAccounts({ ...foreign(60, 110), own: 0 }, worst, 0.25)).toBe(true);
    expect(isOfFewAccounts({ ...foreign(60, 60), own: 1_000 }, worst, 0.25)).toBe(false);
  });

  it('can be seen where refusals are not usual at all', () => {
    expect(isOfFewAccounts(own(60, 200), own(60, 60), 0)).toBe(true);
  });
});
