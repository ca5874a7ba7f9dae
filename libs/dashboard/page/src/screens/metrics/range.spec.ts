import { boundsBefore, boundsOf, daysOf, granularitiesOf, rangeInAddress, rangeOf } from './range';

const read = (query: string) => rangeOf(new URLSearchParams(query));
const now = new Date(2026, 10, 23, 14, 35, 12);

describe('rangeOf', () => {
  it('is seven days by day unless the address says otherwise', () => {
    expect(read('')).toEqual({ name: '7d', granularity: 'daily' });
    expect(read('range=24h')).toEqual({ name: '24h', granularity: 'hourly' });
    expect(read('range=century')).toEqual({ name: '7d', granularity: 'daily' });
  });

  it('accepts days of the reader, in either order', () => {
    expect(read('from=2026-11-20&to=2026-11-01')).toMatchObject({ name: 'own', from: '2026-11-01', to: '2026-11-20' });
    expect(read('from=2026-02-30&to=2026-03-01').name).toBe('7d');
    expect(read('from=2026-03-01').name).toBe('7d');
    expect(read('from=tomorrow&to=2026-03-01').name).toBe('7d');
  });

  it.each([
    ['2026-11-01', '2026-11-03', 'hourly'],
    ['2026-11-01', '2026-11-04', 'daily'],
    ['2026-01-01', '2026-07-03', 'daily'],
    ['2026-01-01', '2026-07-04', 'weekly'],
    ['2020-01-01', '2026-07-04', 'monthly'],
  ])('shows %s to %s so that bars can be distinguished', (from, to, granularity) => {
    expect(read(`from=${from}&to=${to}`).granularity).toBe(granularity);
  });
});

describe('boundsOf', () => {
  it('starts with whole hours and days, including the current one', () => {
    expect(boundsOf(read('range=24h'), now)).toEqual({ start: new Date(2026, 10, 22, 15) });
    expect(boundsOf(read(''), now)).toEqual({ start: new Date(2026, 10, 17) });
    expect(boundsOf(read('range=90d'), now)).toEqual({ start: new Date(2026, 7, 26) });
  });

  it('includes the whole last day of a custom range', () => {
    expect(boundsOf(read('from=2026-11-30&to=2026-11-30'), now)).toEqual({
      start: new Date(2026, 10, 30),
      end: new Date(2026, 11, 1),
    });
  });
});

it('converts a preset to the same days as a custom range', () => {
  expect(daysOf(read(''), now)).toEqual({ from: '2026-11-17', to: '2026-11-23' });
  expect(daysOf(read('from=2026-11-01&to=2026-11-05'), now)).toEqual({ from: '2026-11-01', to: '2026-11-05' });
});

it('omits the default from the address', () => {
  expect(rangeInAddress('7d')).toEqual({ range: null, from: null, to: null, by: null });
  expect(rangeInAddress('30d')).toEqual({ range: '30d', from: null, to: null, by: null });
  expect(rangeInAddress('own', '2026-11-01', '2026-11-02')).toEqual({
    range: null,
    from: '2026-11-01',
    to: '2026-11-02',
    by: null,
  });
});

describe('granularities', () => {
  it.each([
    ['range=24h', ['hourly']],
    ['', ['hourly', 'daily']],
    ['range=30d', ['daily', 'weekly']],
    ['range=90d', ['daily', 'weekly', 'monthly']],
    ['from=2010-01-01&to=2026-01-01', []],
  ])('that suit %j are %j', (query, names) => {
    expect(granularitiesOf(read(query))).toEqual(names);
  });

  it('are in the address, and ignored where they do not suit', () => {
    expect(read('by=hourly').granularity).toBe('hourly');
    expect(read('range=90d&by=hourly').granularity).toBe('daily');
    expect(read('by=nonsense').granularity).toBe('daily');
  });
});

describe('boundsBefore', () => {
  it('is as long, and ends at the same time of the day', () => {
    expect(boundsBefore(read(''), now)).toEqual({
      start: new Date(2026, 10, 10),
      end: new Date(2026, 10, 16, 14, 35, 12),
    });
    expect(boundsBefore(read('range=24h'), now)).toEqual({
      start: new Date(2026, 10, 21, 15),
      end: new Date(2026, 10, 22, 14, 35, 12),
    });
  });

  it('ends where a custom range begins', () => {
    expect(boundsBefore(read('from=2026-11-01&to=2026-11-03'), now)).toEqual({
      start: new Date(2026, 9, 29),
      end: new Date(2026, 10, 1),
    });
  });
});
