import { layOut, MARGIN } from './chart-layout';
import { SERIES } from './series';

const none = { sent: 0, delivered: 0, delivery_delayed: 0, bounced: 0, failed: 0, complained: 0, suppressed: 0 };
const rows = [
  { ...none, period: '2026-07-01', sent: 6, delivered: 4, bounced: 2, delivery_delayed: 3 },
  { ...none, period: '2026-07-02' },
];
const HEIGHT = 240;

describe('layOut', () => {
  it('stacks each recipient once, from the ground up', () => {
    const { bars } = layOut(rows, SERIES, 600, HEIGHT);
    expect(bars.map(({ name }) => name)).toEqual(['delivered', 'unconfirmed', 'bounced']);
    const [delivered, unconfirmed, bounced] = bars as [Bar, Bar, Bar];
    expect(delivered.y + delivered.height).toBeCloseTo(HEIGHT - MARGIN.bottom);
    expect(unconfirmed.y + unconfirmed.height).toBeCloseTo(delivered.y - 1);
    expect(bounced.y).toBeCloseTo(MARGIN.top + 1);
    expect(delivered.height + 1).toBeCloseTo(2 * (bounced.height + 1));
  });

  it('keeps a few visible among many', () => {
    const { bars } = layOut(
      [{ ...none, period: '2026-07-01', sent: 9_999, delivered: 9_999, failed: 1 }],
      SERIES,
      600,
      HEIGHT,
    );
    expect(bars.at(-1)).toMatchObject({ name: 'failed', height: 1 });
  });

  it('marks delays next to the bars, and has no mark without them', () => {
    const { marks } = layOut(rows, SERIES, 600, HEIGHT);
    expect(marks.map(({ name }) => name)).toEqual(['delayed']);
  });

  it('reserves a slot for periods without events', () => {
    expect(layOut(rows, SERIES, 600, HEIGHT).columns.map(({ period }) => period)).toEqual(['2026-07-01', '2026-07-02']);
  });

  it('scales the remaining series when others are hidden', () => {
    const shown = SERIES.filter(({ name }) => name === 'bounced');
    const [bar] = layOut(rows, shown, 600, HEIGHT).bars;
    expect(bar?.height).toBeCloseTo(HEIGHT - MARGIN.bottom - MARGIN.top - 1);
  });

  it('labels its lines with whole numbers, and has no overlapping names', () => {
    const many = Array.from({ length: 90 }, (_, day) => ({ ...none, period: `day ${day}`, sent: 1 }));
    const { lines, columns } = layOut(many, SERIES, 320, HEIGHT);
    expect(lines.map(({ value }) => value)).toEqual([0, 1]);
    const named = columns.filter(({ hasName }) => hasName);
    expect(named.at(-1)?.period).toBe('day 89');
    const [first, second] = named;
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThanOrEqual(60);
  });
});

type Bar = ReturnType<typeof layOut>['bars'][number];
