const WIDTH = 640;
const HEIGHT = 300;
const MARGIN = { left: 52, right: 132, top: 34, bottom: 40 };
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };

export interface Series {
  label: string;
  color: string;
  /** Position of each tick, from 0 at the bottom to 1 at the top. NaN: no point. */
  heights: readonly number[];
  /** Lengths of strokes and gaps. Default: one stroke. */
  dashes?: string;
}

interface Chart {
  title: string;
  /** Below, evenly. */
  ticks: readonly string[];
  /** At their heights, from 0 to 1. */
  lines: readonly { label: string; height: number }[];
  series: readonly Series[];
}

/** Lines over ticks, as SVG. */
export function chart({ title, ticks, lines, series }: Chart): string {
  const x = (index: number) => MARGIN.left + (index / Math.max(1, ticks.length - 1)) * INNER.width;
  const y = (height: number) => MARGIN.top + (1 - Math.min(height, 1)) * INNER.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(MARGIN.left, 18, title, 'start'),
    ...lines.map(
      ({ label, height }) =>
        `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(height)}" y2="${y(height)}" stroke="#8884"/>` +
        text(MARGIN.left - 8, y(height) + 4, label, 'end'),
    ),
    ...ticks.map((tick, index) => text(x(index), HEIGHT - 16, tick, 'middle')),
    ...series.map(({ label, color, heights, dashes }, order) => {
      const points = heights.flatMap((height, index) =>
        Number.isNaN(height) ? [] : [`${x(index).toFixed(1)},${y(height).toFixed(1)}`],
      );
      const strokes = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
      return (
        `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"${strokes}/>` +
        text(WIDTH - MARGIN.right + 10, MARGIN.top + 20 + order * 20, label, 'start', color)
      );
    }),
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, content: string, anchor: string, color = '#555'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${color}">${content}</text>`;
}
