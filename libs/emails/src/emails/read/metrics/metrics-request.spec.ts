import { METRICS } from './metrics.js';
import type { MetricsQueryDto } from './metrics-query.dto.js';
import { toMetricsRequest } from './metrics-request.js';

const NOW = Date.parse('2026-07-08T10:07:00Z');
const ID = '0192F0C1-2345-7abc-8def-0123456789ab';
const read = (query: MetricsQueryDto) => toMetricsRequest(query, NOW);
const at = (text: string) => Date.parse(text);

/** Contract, section 3.5. */
describe('toMetricsRequest', () => {
  it('asks for the totals of the last six days, in quarters of an hour', () => {
    expect(read({})).toEqual({
      from: at('2026-07-02T10:00:00Z'),
      until: at('2026-07-08T10:15:00Z'),
      timezone: 'UTC',
      granularity: 'daily',
      metrics: METRICS,
      dimensions: [],
      domainIds: undefined,
      emailIds: undefined,
      broadcastIds: undefined,
    });
    const empty = { start_date: '', end_date: '', timezone: '', granularity: '', metrics: '', email_id: ['', ','] };
    expect(read(empty)).toEqual(read({}));
  });

  it('reads lists with commas, one by one, or both, each word once', () => {
    const metrics = ['sent', 'delivered', 'open_rate'];
    expect(read({ metrics: 'sent,delivered,open_rate' }).metrics).toEqual(metrics);
    expect(read({ metrics: ['sent, delivered', 'open_rate', 'sent'] }).metrics).toEqual(metrics);
    expect(read({ email_id: [ID, `${ID},`] }).emailIds).toEqual([ID]);
  });

  it.each([
    ['2026-07-01', '2026-07-01T00:00:00Z'],
    ['2026-07-01T10:30', '2026-07-01T10:30:00Z'],
    ['2026-07-01 10:30:00+02:00', '2026-07-01T08:30:00Z'],
    // A plus that was not encoded.
    ['2026-07-01T10:30:00 02:00', '2026-07-01T08:30:00Z'],
    ['2026-07-01T10:30:00.123456-0530', '2026-07-01T16:00:00Z'],
    ['1970-01-01', '1970-01-01T00:00:00Z'],
  ])('reads %s as a time', (text, instant) => {
    expect(read({ start_date: text }).from).toBe(at(instant));
  });

  it.each([
    'today',
    '2026-7-1',
    '2026-02-29',
    '2026-13-01',
    '2026-07-01T25:00',
    '2026-07-01T10:60',
    '1969-12-31',
    '10000-01-01',
    '2026-07-01T10:00:00+99:00',
    '٢٠٢٦-٠٧-٠١',
    '1751328000',
    `2026-07-01T10:00:00.${'0'.repeat(100)}Z`,
  ])('refuses %s', (text) => {
    expect(() => read({ end_date: text })).toThrow(/^`end_date` must be an ISO 8601 date/);
  });

  it('replaces a future end by now', () => {
    expect(read({ end_date: '2030-01-01' })).toEqual(read({}));
    expect(read({ start_date: '2030-01-01', end_date: '2030-01-02' })).toMatchObject({
      from: at('2026-07-08T10:00:00Z'),
    });
  });

  it('bounds the number of requested periods', () => {
    const hourly = { start_date: '2025-01-01', end_date: '2026-03-01', granularity: 'hourly' };
    expect(read(hourly).granularity).toBe('hourly');
    expect(() => read({ ...hourly, dimensions: 'domain,period' })).toThrow('10000 periods');
    expect(() => read({ start_date: '1990-01-01', dimensions: 'period' })).toThrow('10000 periods');
    expect(read({ start_date: '2000-01-01', dimensions: 'period' }).from).toBe(at('2000-01-01T00:00:00Z'));
    expect(read({ start_date: '1970-01-01', dimensions: 'period', granularity: 'weekly' }).from).toBe(0);
    expect(read({ end_date: '1970-01-01' })).toMatchObject({ from: 0, until: 0 });
  });

  it.each(['Berlin', '+02:00', '-08', 'UTC+2', 'Europe/Nowhere', '\0', "'", ' UTC'])(
    'refuses the time zone %j',
    (timezone) => {
      expect(() => read({ timezone })).toThrow(/^`timezone` must be the IANA name/);
    },
  );

  it('bounds ids', () => {
    const ids = Array.from({ length: 101 }, (_, at) => ID.replace(/..$/, at.toString(16).padStart(2, '0')));
    expect(read({ email_id: ids.slice(1) }).emailIds).toHaveLength(100);
    expect(() => read({ email_id: ids })).toThrow('`email_id` must be up to 100 ids');
    expect(() => read({ broadcast_id: ids.join(',') })).toThrow('`broadcast_id` must be up to 100 ids');
  });

  it.each<MetricsQueryDto>([
    { dimensions: 'email,broadcast' },
    { dimensions: 'email', broadcast_id: ID },
    { dimensions: 'broadcast', email_id: ID },
    { email_id: ID, broadcast_id: ID },
  ])('keeps emails and broadcasts apart: %j', (query) => {
    expect(() => read(query)).toThrow('go together with neither');
  });
});
