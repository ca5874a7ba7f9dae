import fc from 'fast-check';
import { parseScheduledAt, readScheduledAt } from './is-scheduled-at.js';

describe('parseScheduledAt', () => {
  it.each([
    ['2026-11-21T05:26:01.123Z', '2026-11-21T05:26:01.123000Z'],
    ['2026-11-21', '2026-11-21T09:00:00.000000Z'],
    ['2026-11-21 05:26', '2026-11-21T05:26:00.000000Z'],
    ['2026-11-21T05:26', '2026-11-21T05:26:00.000000Z'],
    ['2026-11-21T05:26:01', '2026-11-21T05:26:01.000000Z'],
    ['2026-11-21 05:26:01.123456+00', '2026-11-21T05:26:01.123456Z'],
    ['2026-11-21T05:26:01.123456789Z', '2026-11-21T05:26:01.123456Z'],
    ['2026-11-21T05:26:01,5Z', '2026-11-21T05:26:01.500000Z'],
    ['2026-11-21T05:26:01+02:00', '2026-11-21T03:26:01.000000Z'],
    ['2026-11-21T05:26:01+0200', '2026-11-21T03:26:01.000000Z'],
    ['2026-11-21T05:26:01+0000', '2026-11-21T05:26:01.000000Z'],
    ['2026-11-21T05:26:01-0330', '2026-11-21T08:56:01.000000Z'],
    ['2026-11-22 00:09:47 +0000', '2026-11-22T00:09:47.000000Z'],
    ['2026-11-22 00:09:47 +0130', '2026-11-21T22:39:47.000000Z'],
    ['2026-11-22 00:09:47 -08:00', '2026-11-22T08:09:47.000000Z'],
    ['2026-11-22 00:09:47.5 UTC', '2026-11-22T00:09:47.500000Z'],
    ['2026-11-22T00:09:47 Z', '2026-11-22T00:09:47.000000Z'],
    ['2026-11-21T05:26-08', '2026-11-21T13:26:00.000000Z'],
    ['2027-01-01T00:30:00.5+01:00', '2026-12-31T23:30:00.500000Z'],
    ['2028-02-29T00:00Z', '2028-02-29T00:00:00.000000Z'],
    ['1970-01-01T00:00Z', '1970-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('reads %s', (text, instant) => {
    expect(parseScheduledAt(text)).toBe(instant);
  });

  it.each([
    '',
    'tomorrow at 10am',
    'in 1 min',
    '20261121T052601Z',
    '2026-11-21T05Z',
    '2026-11-21T05:26.5Z',
    '2026-11-21T05:26:01.Z',
    '2026-11-21T05:26:01  +0000',
    '2026-11-21T05:26:01 ',
    '2026-11-21T05:26:01 + 0000',
    '2026-11-21  05:26:01',
    ' 2026-11-21T05:26:01Z',
    '2026-11-21T05:26:01Z\n',
    '2026-11-21T05:26:01+2:00',
    '2026-11-21T05:26:01+02:60',
    '2026-11-21T05:26:01+24:00',
    '2026-11-21T05:26:01 PST',
    '2026-1-2T05:26:01Z',
    '2026-W47-6T05:26:01Z',
    '2026-02-30T00:00:00Z',
    '2026-02-30',
    '2026-11-21\n',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '0070-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:00-00:01',
    '+012026-01-01T00:00:00Z',
    '-2026-01-01T00:00:00Z',
    '２０２６-11-21T05:26:01Z',
    '1795238761',
    `2026-11-21T05:26:01.${'1'.repeat(100)}Z`,
  ])('refuses %j', (text) => {
    expect(parseScheduledAt(text)).toBeUndefined();
  });

  it('parses its own output, at any offset', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
        (date, offset) => {
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
          const zone = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
          const written = `${date.toISOString().slice(0, -1)}000Z`;
          expect(parseScheduledAt(local + zone)).toBe(written);
          expect(parseScheduledAt(written)).toBe(written);
        },
      ),
    );
  });
});

describe('readScheduledAt', () => {
  const now = new Date('2026-11-22T12:00:00.123Z');

  it('returns an instant in one form for every spelling', async () => {
    expect(await readScheduledAt('2026-11-22 00:09:47.123456 +0000', now)).toBe('2026-11-22T00:09:47.123456Z');
    expect(await readScheduledAt('in 1 min', now)).toBe('2026-11-22T12:01:00.123000Z');
  });

  it.each(['2026-02-30T00:00:00Z', 'someday', 'in 9000 years', 'in 1.5e3 hours', '', 'x'.repeat(1_000_000)])(
    'refuses %.30j with examples of both',
    async (text) => {
      await expect(readScheduledAt(text, now)).rejects.toMatchObject({
        statusCode: 422,
        message: expect.stringMatching(/`scheduled_at` must be an ISO 8601 .*2026-.*in 10 minutes.*tomorrow at 9am/),
      });
    },
  );
});
