import type { Finding } from './finding.js';

const WIDTH = 640;
const HEIGHT = 300;
const MARGIN = { left: 52, right: 110, top: 34, bottom: 40 };
const TITLE = 'Speed with that many emails stored, in relation to an empty database';
const SERIES = [
  { label: 'POST', color: '#1f6feb' },
  { label: 'delivery', color: '#1a7f37' },
  { label: 'GET', color: '#bc4c00' },
] as const;

/** Speed in relation to an empty database over the number of emails stored. Undefined when growth was not measured. */
export function growthCurves(findings: readonly Finding[]): string | undefined {
  const figures = findings.find(({ name }) => name === 'growth')?.figures;
  if (!figures) return undefined;
  const sizes = Object.keys(figures)
    .filter((key) => key.startsWith('POST at '))
    .map((key) => Number(key.slice('POST at '.length)));
  const inner = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const x = (index: number) => MARGIN.left + (index / Math.max(1, sizes.length - 1)) * inner.width;
  const y = (share: number) => MARGIN.top + (1 - Math.min(share, 1.25) / 1.25) * inner.height;

  const grid = [0, 0.25, 0.5, 0.75, 1, 1.25].map(
    (share) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(share)}" y2="${y(share)}" stroke="#8884"/>` +
      text(MARGIN.left - 8, y(share) + 4, `${share * 100} %`, 'end'),
  );
  const ticks = sizes.map((size, index) => text(x(index), HEIGHT - 16, size.toLocaleString('en'), 'middle'));
  const lines = SERIES.map(({ label, color }, order) => {
    const shares = sizes.map((size) => figures[`${label} at ${size}`] ?? Number.NaN);
    const points = shares.map((share, index) => `${x(index).toFixed(1)},${y(share).toFixed(1)}`);
    return (
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>` +
      text(WIDTH - MARGIN.right + 10, MARGIN.top + 20 + order * 20, label, 'start', color)
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${TITLE}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(MARGIN.left, 18, TITLE, 'start'),
    ...grid,
    ...ticks,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, content: string, anchor: string, color = '#555'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${color}">${content}</text>`;
}
