import { transportsOf, withoutLimits } from './transports-of.js';

describe('the transports of SMTP_URL', () => {
  it.each([
    ['smtp://mx:25', 'smtp://mx:25', {}],
    ['smtp://mx:25?maxPerSecond=14', 'smtp://mx:25', { maxPerSecond: 14 }],
    [
      'smtp://u:p%3Fq@mx:25/?socketTimeout=5&maxPerDay=50000&tls=none&maxPerSecond=1',
      'smtp://u:p%3Fq@mx:25/?socketTimeout=5&tls=none',
      { maxPerDay: 50_000, maxPerSecond: 1 },
    ],
    ['smtp://mx:25?maxPerSecond=%35&max%50erDay=7', 'smtp://mx:25', { maxPerSecond: 5, maxPerDay: 7 }],
    ['smtp://mx:25?maxPerDay=5#rest', 'smtp://mx:25#rest', { maxPerDay: 5 }],
  ])('have limits apart from the URL of the connection: %s', (given, url, limits) => {
    expect(withoutLimits(given)).toEqual({ url, limits });
  });

  it('have each its hop', () => {
    const made = transportsOf(['smtp://one:25?maxPerDay=7', 'smtp://two:25'], ['final', 'relay']);
    expect(made).toMatchObject([
      { transport: { hop: 'final', nextHop: 'one:25' }, maxPerDay: 7 },
      { transport: { hop: 'relay' } },
    ]);
    expect(made[1]).not.toHaveProperty('maxPerDay');
  });
});
