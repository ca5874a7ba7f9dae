import type { Finding, RatioFinding } from './finding.js';

/** Markdown. */
export function table(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ title, figures, ratios }) => {
    const shown = Object.entries(figures)
      .map(
        ([name, value]) =>
          `${name.includes('/s') ? `${name.replace('/s', '')} ${round(value)}/s` : `${name} ${round(value)}`}`,
      )
      .join(', ');
    const rest = ratios.length > 0 ? ratios : [undefined];
    return rest.map(
      (ratio, index) => `| ${index === 0 ? title : ''} | ${index === 0 ? shown : ''} | ${cells(ratio)} |`,
    );
  });
  return ['| what | measured | ratio | | target | met |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

function cells(ratio: RatioFinding | undefined): string {
  if (!ratio) return '| | | ';
  const { what, value, atLeast, atMost, met } = ratio;
  const target = atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : '';
  return `${what} | ${value.toFixed(2)} | ${target} | ${met === undefined ? '' : met ? 'yes' : '**no**'}`;
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
