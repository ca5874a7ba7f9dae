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

const SUMMARY = {
  'post-redis': '`POST /emails`, queue in Redis',
  'post-postgres': '`POST /emails`, queue in PostgreSQL',
  'delivery-redis': 'delivery, queue in Redis',
  'together-redis': 'both at once in one process',
} as const;

/** Markdown: our speed as a multiple of the book's, in the most asked-for rows. */
export function summary(findings: readonly Finding[]): string {
  const lines = Object.entries(SUMMARY).map(([name, title]) => {
    const ratios = findings.find((finding) => finding.name === name)?.ratios ?? [];
    const ratio = (what: string) => ratios.find((each) => each.what === what)?.value.toFixed(2) ?? '';
    return `| ${title} | ${ratio('ours / book')} | ${ratio('ours / floor')} | ${ratio('ours / nodemailer')} |`;
  });
  return ['| | book | floor | nodemailer |', '|---|---:|---:|---:|', ...lines].join('\n');
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
