import { scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { RATES, type RateOfRange } from './rates';

/** Space around the line for labels. Pixels. */
export const MARGIN = { top: 8, right: 12, bottom: 8, left: 52 };

export interface RateLayout {
  /** The provider's limits, with their heights. */
  limits: { limit: number; y: number }[];
  ground: number;
  /** Path of the line. */
  path: string;
  points: { period: string; x: number; y: number }[];
}

/** Computes the positions in a chart of one rate. Limits stay visible: a rate far above them is cut at the top. */
export function layOutRate({ name, periods }: RateOfRange, width: number, height: number): RateLayout {
  const limits: readonly number[] = RATES[name].limits;
  const highestLimit = Math.max(...limits);
  const highest = Math.max(...periods.map(({ rate }) => rate ?? 0), 0);
  const top = Math.max(1.5 * highestLimit, Math.min(1.1 * highest, 4 * highestLimit));
  const y = scaleLinear([0, top], [height - MARGIN.bottom, MARGIN.top]).clamp(true);
  const x = scalePoint(
    periods.map(({ period }) => period),
    [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)],
  );
  const places = periods.map(({ period, rate }) => ({
    period,
    x: x(period) ?? MARGIN.left,
    y: rate === undefined ? undefined : y(rate),
  }));
  const isDrawn = (place: (typeof places)[number]): place is RateLayout['points'][number] => place.y !== undefined;
  const path = line<(typeof places)[number]>()
    .defined(isDrawn)
    .x((place) => place.x)
    .y((place) => place.y ?? 0);
  return {
    limits: limits.map((limit) => ({ limit, y: y(limit) })),
    ground: y(0),
    path: path(places) ?? '',
    points: places.filter(isDrawn),
  };
}
