import { type Figures, percentile } from '../check/figures.js';
import type { Result } from '../run-scenario.js';
import type { WebhookFigures } from '../webhooks/check.js';
import type { QueueKind } from '../world/world.js';

const TITLES: Record<QueueKind, string> = { postgres: 'Queue in PostgreSQL', redis: 'Queue in Redis' };
const HEAD = ['fault', 'hits', 'acked', 'delivered', 'refused', 'lost', 'duplicated outside unknown', 'unknown'];
const TIMES = ['recovery p50', 'p99'];

const WEBHOOKS = ['fault', 'hits', 'events', 'requests', 'missing', 'repeated outside unknown', 'unknown', 'unsigned'];

/** One Markdown table per queue, a line per fault, and one of webhooks. */
export function toTables(results: readonly Result[], queues: readonly QueueKind[]): string {
  return [...queueTables(results, queues), ...webhookTable(results)].join('\n\n');
}

function queueTables(results: readonly Result[], queues: readonly QueueKind[]): string[] {
  return queues
    .filter((kind) => results.some((result) => result.kind === kind && result.rows.length > 0))
    .map((kind) => {
      const rows = results.filter((result) => result.kind === kind).flatMap(withWay);
      const lines = rows.map(({ fault, figures }) => [
        [fault, figures.remark].filter(Boolean).join(': '),
        ...cells(figures),
      ]);
      const total = ['**all**', ...cells(sum(rows.map(({ figures }) => figures)))];
      return tableOf(TITLES[kind], HEAD, [...lines, total]);
    });
}

function webhookTable(results: readonly Result[]): string[] {
  const rows = results.flatMap(({ kind, webhooks }) => webhooks.map((one) => ({ kind, ...one })));
  if (rows.length === 0) return [];
  const lines = rows.map(({ kind, row, figures }) => [
    kind === 'redis' ? `${row.fault}, queue in Redis` : row.fault,
    ...webhookCells(figures),
  ]);
  const total = ['**all**', ...webhookCells(sumOfWebhooks(rows.map(({ figures }) => figures)))];
  return [tableOf('Webhooks', WEBHOOKS, [...lines, total])];
}

function tableOf(title: string, head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = ['---', ...Array.from({ length: head.length + TIMES.length - 1 }, () => '---:')];
  const table = [[...head, ...TIMES], rule, ...lines].map((line) => `| ${line.join(' | ')} |`);
  return `**${title}**\n\n${table.join('\n')}`;
}

function withWay({ rows, way }: Result): { fault: string; figures: Figures }[] {
  return rows.map(({ row, figures }) => ({ fault: [row.fault, way].filter(Boolean).join(', '), figures }));
}

function cells({ hits, acked, delivered, refused, lost, duplicated, unknown, recovery }: Figures): string[] {
  const counts = [hits ?? '', acked, delivered, refused, lost, duplicated, unknown].map(String);
  return [...counts, ...times(recovery)];
}

function webhookCells({
  hits,
  owed,
  requests,
  missing,
  repeated,
  unseen,
  unsigned,
  recovery,
}: WebhookFigures): string[] {
  return [...[hits ?? '', owed, requests, missing, repeated, unseen, unsigned].map(String), ...times(recovery)];
}

function times(recovery: readonly number[]): string[] {
  return [0.5, 0.99].map((share) => seconds(percentile(recovery, share)));
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

function sumOfWebhooks(all: readonly WebhookFigures[]): WebhookFigures {
  const of = (key: Exclude<keyof WebhookFigures, 'recovery'>) =>
    all.reduce((total, figures) => total + (figures[key] ?? 0), 0);
  return {
    hits: of('hits'),
    owed: of('owed'),
    requests: of('requests'),
    missing: of('missing'),
    repeated: of('repeated'),
    unseen: of('unseen'),
    unsigned: of('unsigned'),
    recovery: [],
  };
}
