import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Finding } from './finding.js';
import { growthCurves } from './growth-curves.js';
import { table } from './table.js';

const DOCS = new URL('../../../docs/', import.meta.url);

/** Renews `docs/bench.md` and its drawing. */
export function write(findings: readonly Finding[]): void {
  mkdirSync(DOCS, { recursive: true });
  const curves = growthCurves(findings);
  if (curves !== undefined) writeFileSync(new URL('bench.svg', DOCS), curves);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    new URL('bench.md', DOCS),
    `# How fast

Written by \`npm run bench -- --write\` on ${date}: Node ${process.versions.node}, ${cpus().length} cores, which the load generator, the
SMTP sink, PostgreSQL and Redis share. Compare ratios, not absolute figures. Each is the median of its rounds, and every
round measures all sides in turn. \`book\` is the composition of the official documentation (\`repository.save\`,
\`queue.add\`, a processor that loads, sends with nodemailer's pool and saves); \`floor\` is Nest on Express with a
ValidationPipe for the same DTO, and no I/O.

${table(findings)}
${curves === undefined ? '' : '\n![POST, delivery and GET while more and more emails are stored](bench.svg)\n'}`,
  );
}
