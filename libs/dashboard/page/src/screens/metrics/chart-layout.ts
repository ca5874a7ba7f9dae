import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { type PeriodRow, type Series, type SeriesName, valuesOf } from './series';

/** Space around the bars for labels. Pixels. */
export const MARGIN = { top: 12, right: 22, bottom: 28, left: 44 };

/** Width of a name below a bar, with some space. Pixels. */
const NAME_WIDTH = 60;
/** Bars of few periods are not wider. Pixels. */
const MAX_BAR = 64;

const MAX_RADIUS = 4;

/** Between the pieces of a bar. Pixels. */
const GAP = 1;

export interface Bar {
  name: SeriesName;
  tone: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Mark {
  name: SeriesName;
  tone: string;
  x: number;
  y: number;
}

export interface Layout {
  bars: Bar[];
  marks: Mark[];
  /** Horizontal lines with their values. */
  lines: { value: number; y: number }[];
  /** One for each period: its position, and whether its name fits. */
  columns: { period: string; x: number; width: number; middle: number; hasName: boolean }[];
  /** Radius of marks, smaller in narrow charts. */
  radius: number;
}

/** Computes the positions of all parts of the chart. */
export function layOut(rows: readonly PeriodRow[], series: readonly Series[], width: number, height: number): Layout {
  const values = rows.map((row) => ({ period: row.period, ...valuesOf(row) }));
  const barred = series.filter(({ drawn }) => drawn === 'bar');
  const marked = series.filter(({ drawn }) => drawn === 'mark');
  const highest = Math.max(
    1,
    ...values.map((row) => barred.reduce((sum, { name }) => sum + row[name], 0)),
    ...values.flatMap((row) => marked.map(({ name }) => row[name])),
  );
  const y = scaleLinear([0, highest], [height - MARGIN.bottom, MARGIN.top]).nice(4);
  const x = scaleBand(
    values.map(({ period }) => period),
    [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)],
  ).paddingInner(0.25);
  const rectangles = (period: string) => {
    const whole = x.bandwidth();
    const bar = Math.min(whole, MAX_BAR);
    return { x: (x(period) ?? 0) + (whole - bar) / 2, width: bar };
  };
  const stacked = stack<(typeof values)[number], Series>()
    .keys(barred)
    .value((row, { name }) => row[name])(values);
  const bars = stacked.flatMap((pieces) =>
    pieces
      .filter(([from, to]) => to > from)
      .map((piece) => ({
        name: pieces.key.name,
        tone: pieces.key.tone,
        ...rectangles(piece.data.period),
        y: y(piece[1]) + GAP,
        height: Math.max(y(piece[0]) - y(piece[1]) - GAP, 1),
      })),
  );
  const marks = marked.flatMap(({ name, tone }) =>
    values
      .filter((row) => row[name] > 0)
      .map((row) => ({ name, tone, x: (x(row.period) ?? 0) + x.bandwidth() / 2, y: y(row[name]) })),
  );
  const every = Math.max(1, Math.ceil(NAME_WIDTH / Math.max(x.step(), 1)));
  return {
    bars,
    marks,
    lines: y
      .ticks(4)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: y(value) })),
    columns: values.map(({ period }, index) => ({
      period,
      x: (x(period) ?? 0) - (x.step() - x.bandwidth()) / 2,
      width: x.step(),
      middle: (x(period) ?? 0) + x.bandwidth() / 2,
      // Counted from the end, so that the newest has a name.
      hasName: (values.length - 1 - index) % every === 0,
    })),
    radius: Math.min(MAX_RADIUS, Math.max(2, x.bandwidth() / 3)),
  };
}
