import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { maybeEnglishTime, readEnglishTime } from './english-time.js';

/** A Sunday. */
const NOW = '2026-11-22T12:00:00.123Z';

const read = async (text: string, now = NOW) => {
  const time = await readEnglishTime(text, new Date(now));
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe('readEnglishTime', () => {
  it.each([
    ['in 1 min', '2026-11-22T12:01:00.123Z'],
    ['in an hour', '2026-11-22T13:00:00.123Z'],
    ['in half an hour', '2026-11-22T12:30:00.123Z'],
    ['in 1.5 hours', '2026-11-22T13:30:00.123Z'],
    ['in 1 hour and 30 minutes', '2026-11-22T13:30:00.123Z'],
    ['2 hours from now', '2026-11-22T14:00:00.123Z'],
    ['in 2 days', '2026-11-24T12:00:00.123Z'],
    ['in a week', '2026-11-29T12:00:00.123Z'],
    ['in 1 month', '2026-12-22T12:00:00.123Z'],
    ['5 minutes ago', '2026-11-22T11:55:00.123Z'],
  ])('reads %s as a length of time from now', async (text, time) => {
    expect(await read(text)).toBe(time);
  });

  it.each([
    ['tomorrow at 9am', '2026-11-23T09:00:00.000Z'],
    ['Tomorrow 9 AM', '2026-11-23T09:00:00.000Z'],
    ['tomorrow at noon', '2026-11-23T12:00:00.000Z'],
    ['20:15 tomorrow', '2026-11-23T20:15:00.000Z'],
    ['in 2 days at 9am', '2026-11-24T09:00:00.000Z'],
    ['Friday at 3pm EST', '2026-11-27T20:00:00.000Z'],
    ['Friday at 3pm ET', '2026-11-27T20:00:00.000Z'],
    ['next Monday at 10:00 GMT+2', '2026-11-23T08:00:00.000Z'],
    ['Friday at 3pm UTC-8', '2026-11-27T23:00:00.000Z'],
    ['December 25 at 5pm', '2026-12-25T17:00:00.000Z'],
    ['Dec 25, 2027 at 5:00 PM PST', '2027-12-26T01:00:00.000Z'],
    ['Monday, 23 November 2026 9am', '2026-11-23T09:00:00.000Z'],
    ['yesterday at 9am', '2026-11-21T09:00:00.000Z'],
  ])('reads %s as a day and a time', async (text, time) => {
    expect(await read(text)).toBe(time);
  });

  it.each([
    ['9am', '2026-11-23T09:00:00.000Z'],
    ['3:30pm', '2026-11-22T15:30:00.000Z'],
    ['Sunday at 9am', '2026-11-29T09:00:00.000Z'],
    ['Sunday at 4pm', '2026-11-22T16:00:00.000Z'],
    ['November 1 at 9am', '2027-11-01T09:00:00.000Z'],
    ['today at 9am', '2026-11-22T09:00:00.000Z'],
  ])('reads %s as the next one, and a named day as that day', async (text, time) => {
    expect(await read(text)).toBe(time);
  });

  it.each([
    ['tomorrow', '2026-11-23T09:00:00.000Z'],
    ['Tomorrow Morning', '2026-11-23T09:00:00.000Z'],
    ['tonight', '2026-11-22T20:00:00.000Z'],
    ['next week', '2026-11-23T09:00:00.000Z'],
    ['NEXT WEEK', '2026-11-23T09:00:00.000Z'],
    ['Friday', '2026-11-27T09:00:00.000Z'],
    ['FRIDAY', '2026-11-27T09:00:00.000Z'],
    ['next Friday', '2026-11-27T09:00:00.000Z'],
    ['Sunday', '2026-11-29T09:00:00.000Z'],
    ['December 25', '2026-12-25T09:00:00.000Z'],
    ['25 DEC', '2026-12-25T09:00:00.000Z'],
    ['Dec 25th', '2026-12-25T09:00:00.000Z'],
    ['November 1', '2027-11-01T09:00:00.000Z'],
    ['November 22', '2027-11-22T09:00:00.000Z'],
    ['December 25, 2027', '2027-12-25T09:00:00.000Z'],
    ['December 25 2020', '2020-12-25T09:00:00.000Z'],
    ['Monday, 23 November 2026', '2026-11-23T09:00:00.000Z'],
    ['tomorrow EST', '2026-11-23T14:00:00.000Z'],
    ['tonight ET', '2026-11-23T01:00:00.000Z'],
    ['next week GMT+2', '2026-11-23T07:00:00.000Z'],
    ['December 25 PST', '2026-12-25T17:00:00.000Z'],
  ])('adds a default time to %s', async (text, time) => {
    expect(await read(text)).toBe(time);
  });

  it.each([
    ['tonight', '2026-11-22T20:00:00Z', '2026-11-22T20:00:00.000Z'],
    ['tonight', '2026-11-22T20:00:01Z', undefined],
    ['tonight JST', '2026-11-22T12:00:00Z', undefined],
    ['next week', '2026-11-23T08:00:00Z', '2026-11-30T09:00:00.000Z'],
    ['next week', '2026-11-23T10:00:00Z', '2026-11-30T09:00:00.000Z'],
    ['next week', '2026-11-24T10:00:00Z', '2026-11-30T09:00:00.000Z'],
    ['next week EST', '2026-11-23T03:00:00Z', '2026-11-23T14:00:00.000Z'],
    ['Friday', '2026-11-27T08:59:59Z', '2026-11-27T09:00:00.000Z'],
    ['Friday', '2026-11-27T09:00:01Z', '2026-12-04T09:00:00.000Z'],
    ['tomorrow EST', '2026-11-23T02:00:00Z', '2026-11-23T14:00:00.000Z'],
  ])('reads %s at %s as the next future time, or refuses it', async (text, now, time) => {
    expect(await read(text, now)).toBe(time);
  });

  it.each([
    ['Sunday at 9am ET', '2027-03-07T20:00:00Z', '2027-03-14T13:00:00.000Z'],
    ['9am ET', '2027-03-13T20:00:00Z', '2027-03-14T13:00:00.000Z'],
    ['Feb 29 at 9am', '2028-02-01T00:00:00Z', '2028-02-29T09:00:00.000Z'],
    ['Feb 29 at 9am', '2028-03-01T00:00:00Z', '2032-02-29T09:00:00.000Z'],
    ['Feb 29 at 9am', '2026-11-22T12:00:00Z', '2028-02-29T09:00:00.000Z'],
    ['29 February', '2098-11-22T12:00:00Z', '2104-02-29T09:00:00.000Z'],
    ['Tuesday, February 29', '2026-11-22T12:00:00Z', '2028-02-29T09:00:00.000Z'],
    ['Monday, February 29', '2026-11-22T12:00:00Z', undefined],
  ])('reads %s at %s again for the next time', async (text, now, time) => {
    expect(await read(text, now)).toBe(time);
  });

  it.each([
    ['tomorrow at 9am EST', '2026-11-23T02:00:00Z', '2026-11-23T14:00:00.000Z'],
    ['Friday at 11pm EST', '2026-11-28T02:00:00Z', '2026-11-28T04:00:00.000Z'],
    ['9am JST', '2026-11-23T22:30:00Z', '2026-11-24T00:00:00.000Z'],
    ['Friday at 3pm ET', '2027-06-22T12:00:00Z', '2027-06-25T19:00:00.000Z'],
  ])('computes %s at %s from the current day in that zone', async (text, now, time) => {
    expect(await read(text, now)).toBe(time);
  });

  it.each([
    [
      'a day without a time that may have none',
      ['today', 'yesterday', 'next month', 'tomorrow night', 'this morning', 'Fri', 'December', '25', 'tomorrow ABC'],
    ],
    ['half a day to choose from', ['tomorrow at 9', 'at 3', "3 o'clock", 'tonight at 8']],
    [
      'a part of a day, which begins before midnight and ends behind it',
      ['tonight at 1am', 'tomorrow night at 3:00', 'this morning at 9am', 'this afternoon at 11:30', 'tonight at 8pm'],
    ],
    ['parts of a second', ['9:00:00.5 tomorrow']],
    ['a day of a whole week', ['next week at 9am', 'this month at 9am']],
    ['two times', ['tomorrow at 9am or 10am', 'tomorrow and friday at 9am', '9am 10am', 'in 3 hours at 9am']],
    [
      'a range',
      [
        '9am - 10am',
        'from 3pm to 5pm',
        'Monday to Friday',
        'Monday to Friday at 9am',
        'in 1 min - 2 min',
        '9am-10',
        'Friday at 3pm -08:00',
      ],
    ],
    [
      'something left over',
      ['tomorrow at 9am, please', 'in 1 min.', 'Friday at 9am Europe/Berlin', 'send tomorrow at 9am'],
    ],
    ['an unknown zone', ['tomorrow at 9am ABC', 'tomorrow at 9am Mars']],
    [
      'a date in figures',
      ['1/2/2027', '1/2/2027 at 9am', '11/25 at 9am', '25.12.2026 9am', '2026-11-25 9am', '1-2-2027 9am'],
    ],
    ['other formats of ISO 8601', ['2026-02-30', '2096-1-1T00:00:00Z', '2096-01-01T00:00:00 PST', '05:26:01', '2026']],
    ['an impossible day', ['February 30 at 9am', 'Feb 29 2027 at 9am', '31 April 2027 9am']],
    ['another weekday than the day has', ['Tuesday, 23 November 2026 9am', 'Friday 20 November at 9am']],
    ['an impossible time', ['tomorrow at 25:00', 'tomorrow at 9:60am', 'tomorrow at 13pm']],
    ['no word of it', ['', 'soon', 'infinity', 'now', 'null', '4000000000', 'may', 'sat', 'in twenty-odd minutes']],
    ['a past or vague time', ['last Friday at 9am', 'in a few minutes', 'in several days', 'tomorrow at midnight']],
    ['another reference time', ['2 hours before 9pm', '2 days after Friday', '1 hour before tomorrow at 9am']],
    ['an excessive length', ['in 999999999 years', 'in 99999999999999999999 days', 'in -5 minutes']],
    [
      'odd characters',
      ['in 1\tmin', 'tomorrow at 9am\n', 'tomorrow\u00a0at 9am', 'in １ min', ' in 1 min', 'in 1 min\0'],
    ],
  ])('does not guess at %s', async (_, texts) => {
    expect(await Promise.all(texts.map((text) => read(text)))).toEqual(texts.map(() => undefined));
  });

  it('refuses repeated blanks, for which the parser would take minutes', () => {
    expect(maybeEnglishTime('1h    '.repeat(9).trim())).toBe(false);
    expect(maybeEnglishTime('in  1 min')).toBe(false);
  });

  it('refuses more than 60 characters', () => {
    expect([60, 61, 5_000_000].map((length) => maybeEnglishTime('x'.repeat(length)))).toEqual([true, false, false]);
  });

  /** Clocks there skip the hour from 2:00 to 3:00 on the 14th of March. */
  const ZONE = 'America/New_York';
  const HOUR = 3_600_000;

  it('gives the same result in a process whose clock skips an hour', async () => {
    const texts = [
      ...Array.from({ length: 48 }, (_, at) => `in ${at + 1} hours`),
      'tomorrow at 2:30am',
      '3am',
      'in 2 days',
    ];
    const now = Date.parse('2027-03-14T02:25:00Z');
    const expected = [...texts.slice(0, 48).map((_, at) => now + (at + 1) * HOUR)];
    expected.push(...['2027-03-15T02:30:00Z', '2027-03-14T03:00:00Z', '2027-03-16T02:25:00Z'].map(Date.parse));
    const script = `
      const { readEnglishTime } = await import(${JSON.stringify(new URL('english-time.ts', import.meta.url))});
      const texts = ${JSON.stringify(texts)};
      const times = await Promise.all(texts.map((text) => readEnglishTime(text, new Date(${now}))));
      process.stdout.write(JSON.stringify({ times, gap: new Date(2027, 2, 14, 2).getHours() }));`;
    const loader = fileURLToPath(new URL('../../../../../../test/support/typescript.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', loader, '--input-type', 'module', '--eval', script],
      { env: { ...process.env, TZ: ZONE } },
    );
    expect(JSON.parse(stdout)).toEqual({ times: expected, gap: 3 });
  });

  it('does not guess the zone of a text on the day that clocks change', async () => {
    expect(await read('tomorrow at 1:30am ET', '2026-11-01T04:00:00Z')).toBeUndefined();
    expect(await read('tomorrow at 1:30am EST', '2026-11-01T04:00:00Z')).toBe('2026-11-01T06:30:00.000Z');
  });

  it('returns an instant or nothing for any text', async () => {
    const word = fc.constantFrom(
      ...[
        'in',
        '1',
        '99999',
        'min',
        'tomorrow',
        'at',
        '9am',
        'Friday',
        '9:00',
        'EST',
        'and',
        'an',
        'hour',
        ',',
        'from',
      ],
      ...[
        'now',
        'ago',
        'before',
        'next',
        'Dec',
        '25',
        '2026',
        '-',
        '+',
        '(',
        ')',
        'half',
        'month',
        'd',
        '.',
        ':',
        'GMT',
      ],
    );
    const words = fc.array(word, { maxLength: 20 }).map((some) => some.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.oneof(words, fc.string()), async (text) => {
        const time = await readEnglishTime(text, new Date(NOW));
        expect(time === undefined || Number.isFinite(time)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
