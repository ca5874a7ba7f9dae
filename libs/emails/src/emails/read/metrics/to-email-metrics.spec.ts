import { METRICS } from './metrics.js';
import { toMetricsRequest } from './metrics-request.js';
import { toEmailMetrics } from './to-email-metrics.js';

const NOW = Date.parse('2026-07-08T10:07:00Z');
const row = (counts: Record<string, number>, fields: object = {}) => ({
  period: null,
  offset: null,
  domain: null,
  emailId: null,
  counts,
  ...fields,
});
const totals = (counts: Record<string, number>) => toEmailMetrics(toMetricsRequest({}, NOW), [row(counts)], NOW).totals;

describe('toEmailMetrics', () => {
  it('adds up kinds of bounces, and computes rates with one decimal', () => {
    const counts = {
      sent: 3,
      delivered: 2,
      bounced_permanent: 1,
      bounced_undetermined: 1,
      complained: 1,
      unsubscribed: 1,
    };
    expect(totals(counts)).toMatchObject({
      bounced: 2,
      bounced_permanent: 1,
      bounced_transient: 0,
      delivery_rate: 66.7,
      bounce_rate: 66.7,
      complaint_rate: 50,
      unsubscribe_rate: 50,
      open_rate: 0,
    });
  });

  it('computes rates below 1 with two decimals', () => {
    expect(totals({ sent: 11_821, delivered: 11_821, complained: 3 }).complaint_rate).toBe(0.03);
    expect(totals({ sent: 1_000, bounced_permanent: 10 }).bounce_rate).toBe(1);
  });

  it('has 0 without events, and for metrics that are not observed', () => {
    expect(totals({ bounced_permanent: 1, something: 5, constructor: 3 })).toEqual({
      ...Object.fromEntries(METRICS.map((name) => [name, 0])),
      bounced: 1,
      bounced_permanent: 1,
    });
  });

  it('ends the counted period at now at the latest', () => {
    expect(toEmailMetrics(toMetricsRequest({}, NOW), [], NOW)).toMatchObject({
      start_date: '2026-07-02T10:00:00.000Z',
      end_date: '2026-07-08T10:07:00.000Z',
    });
  });

  it('has one row for spellings of a domain', () => {
    const request = toMetricsRequest({ dimensions: 'domain', metrics: 'sent' }, NOW);
    const rows = ['bücher.test', 'BÜCHER.test', 'xn--bcher-kva.test', '', '<'].map((domain) =>
      row({ sent: 1 }, { domain }),
    );
    expect(toEmailMetrics(request, rows, NOW).data).toEqual([
      { domain_id: null, domain_name: 'xn--bcher-kva.test', sent: 3 },
      { domain_id: null, domain_name: '', sent: 1 },
      { domain_id: null, domain_name: '<', sent: 1 },
    ]);
  });
});
