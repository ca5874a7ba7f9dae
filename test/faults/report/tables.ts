import { type Figures, percentile } from '../check/figures.js';
import type { Result } from '../run-scenario.js';
import type { QueueKind } from '../world/world.js';

const TITLES: Record<QueueKind, string> = { postgres: 'Queue in PostgreSQL', redis: 'Queue in Redis' };
const HEAD = ['fault', 'hits', 'acked', 'delivered', 'refused', 'lost', 'duplicated outside unknown', 'unknown'];
const TIMES = ['recovery p50', 'p99'];

/** One Markdown table per queue, a line per fault. */
export function toTables(results: readonly Result[], queues: readonly QueueKind[]): string {
  return queues
    .map((kind) => {
      const rows = results.filter((result) => result.kind === kind).flatMap(withWay);
      const lines = rows.map(({ fault, figures }) => [
        [fault, figures.remark].filter(Boolean).join(': '),
        ...cells(figures),
      ]);
      const total = ['**all**', ...cells(sum(rows.map(({ figures }) => figures)))];
      const rule = ['---', ...Array.from({ length: HEAD.length + TIMES.length - 1 }, () => '---:')];
      const table = [[...HEAD, ...TIMES], rule, ...lines, total].map((line) => `| ${line.join(' | ')} |`);
      return `**${TITLES[kind]}**\n\n${table.join('\n')}`;
    })
    .join('\n\n');
}

function withWay({ rows, way }: Result): { fault: string; figures: Figures }[] {
  return rows.map(({ row, figures }) => ({ fault: [row.fault, way].filter(Boolean).join(', '), figures }));
}

function cells({ hits, acked, delivered, refused, lost, duplicated, unknown, recovery }: Figures): string[] {
  const counts = [hits ?? '', acked, delivered, refused, lost, duplicated, unknown].map(String);
  return [...counts, ...[0.5, 0.99].map((share) => seconds(percentile(recovery, share)))];
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function sum(all: readonly Figures[]): Figures {
  const of = (key: 'acked' | 'delivered' | 'refused' | 'lost' | 'duplicated' | 'unknown') =>
    all.reduce((total, figures) => total + figures[key], 0);
  return {
    remark: undefined,
    hits: all.reduce((total, { hits }) => total + (hits ?? 0), 0),
    acked: of('acked'),
    delivered: of('delivered'),
    refused: of('refused'),
    lost: of('lost'),
    duplicated: of('duplicated'),
    unknown: of('unknown'),
    recovery: [],
  };
}
