import { DELAYS, distanceName } from '../rows/distance.js';
import { POOL } from '../sides/pool-options.js';
import { chart } from './chart.js';
import type { Finding } from './finding.js';

/** Messages a second, at the bottom and at the top: each step up is as many times more. */
const LOWEST = 50;
const HIGHEST = 5_000;
const LINES = [50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

const SERIES = [
  { label: '200 domains', color: '#1f6feb', domains: 200, figure: 'ours/s' },
  { label: 'one domain', color: '#1a7f37', domains: 1, figure: 'ours/s' },
  { label: 'nodemailer', color: '#bc4c00', domains: 200, figure: 'nodemailer/s' },
] as const;

/** Messages a second over the length of the link. Undefined when that was not measured. */
export function distanceCurves(findings: readonly Finding[]): string | undefined {
  const rows = new Map(findings.map(({ name, figures }) => [name, figures]));
  if (!DELAYS.some((delay) => rows.has(distanceName(delay, 200)))) return undefined;
  return chart({
    title: `Messages a second over a link with such a round trip, ${POOL.maxConnections} connections`,
    ticks: DELAYS.map((delay) => `${delay} ms`),
    lines: LINES.map((rate) => ({ label: rate.toLocaleString('en'), height: heightOf(rate) })),
    series: [
      ...SERIES.map(({ label, color, domains, figure }) => ({
        label,
        color,
        heights: DELAYS.map((delay) => heightOf(rows.get(distanceName(delay, domains))?.[figure])),
      })),
      {
        label: 'one round trip',
        color: '#8c959f',
        heights: DELAYS.map((delay) => heightOf(delay === 0 ? undefined : (POOL.maxConnections * 1_000) / delay)),
        dashed: true,
      },
    ],
  });
}

function heightOf(rate = Number.NaN): number {
  return Math.log(rate / LOWEST) / Math.log(HIGHEST / LOWEST);
}
