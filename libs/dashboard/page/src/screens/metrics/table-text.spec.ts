import { tableText } from './table-text';

it('has a line for each period and one for all of them', () => {
  const counts = { sent: 3, delivered: 2, delivery_delayed: 0, bounced: 1, failed: 0, complained: 0, suppressed: 0 };
  const text = tableText({
    start_date: '2026-07-01T00:00:00.000Z',
    end_date: '2026-07-02T00:00:00.000Z',
    granularity: 'daily',
    totals: { ...counts, delivery_rate: 66.7, bounce_rate: 33.3, complaint_rate: 0 },
    data: [{ period: '2026-07-01', ...counts }],
  });
  expect(text).toBe(
    [
      'period\tsent\tdelivered\tdelivery_delayed\tbounced\tfailed\tcomplained\tsuppressed',
      '2026-07-01\t3\t2\t0\t1\t0\t0\t0',
      'total\t3\t2\t0\t1\t0\t0\t0',
    ].join('\n'),
  );
});
