import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { writeBetween } from '../../support/basics/write-between.js';
import { distanceCurves } from './distance-curves.js';
import type { Finding } from './finding.js';
import { growthCurves } from './growth-curves.js';
import { summary, table } from './table.js';

const ROOT = new URL('../../../', import.meta.url);
const DOCS = new URL('docs/', ROOT);

/** Renews the table of `docs/bench.md`, its drawings, and the figures in the README. */
export function write(findings: readonly Finding[]): void {
  const drawings = { 'bench.svg': growthCurves(findings), 'distance.svg': distanceCurves(findings) };
  for (const [name, drawing] of Object.entries(drawings)) {
    if (drawing !== undefined) writeFileSync(new URL(name, DOCS), drawing);
  }
  const date = new Date().toISOString().slice(0, 10);
  const written = `Written on ${date} with Node ${process.versions.node} on ${cpus().length} cores.`;
  writeBetween(fileURLToPath(new URL('bench.md', DOCS)), 'bench', `${table(findings)}\n\n${written}`);
  writeBetween(fileURLToPath(new URL('README.md', ROOT)), 'bench', summary(findings));
}
