import { chart } from './chart.js';
import type { Finding } from './finding.js';

const SERIES = [
  { label: 'POST', color: '#1f6feb' },
  { label: 'delivery', color: '#1a7f37' },
  { label: 'GET', color: '#bc4c00' },
] as const;
const HIGHEST = 1.25;

/** Speed in relation to an empty database over the number of emails stored. Undefined when growth was not measured. */
export function growthCurves(findings: readonly Finding[]): string | undefined {
  const figures = findings.find(({ name }) => name === 'growth')?.figures;
  if (!figures) return undefined;
  const sizes = Object.keys(figures)
    .filter((key) => key.startsWith('POST at '))
    .map((key) => Number(key.slice('POST at '.length)));
  return chart({
    title: 'Speed with that many emails stored, in relation to an empty database',
    ticks: sizes.map((size) => size.toLocaleString('en')),
    lines: [0, 0.25, 0.5, 0.75, 1, HIGHEST].map((share) => ({ label: `${share * 100} %`, height: share / HIGHEST })),
    series: SERIES.map(({ label, color }) => ({
      label,
      color,
      heights: sizes.map((size) => (figures[`${label} at ${size}`] ?? Number.NaN) / HIGHEST),
    })),
  });
}
