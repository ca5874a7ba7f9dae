import { readFileSync, writeFileSync } from 'node:fs';
import type { Finding, RatioFinding } from './finding.js';

const FILE = new URL('../recorded.json', import.meta.url);

/** How much of a recorded ratio must be left. */
const TOLERANCE = 0.8;

type Recorded = Record<string, Record<string, number>>;

export function record(findings: readonly Finding[]): void {
  const recorded = readRecorded();
  for (const { name, ratios } of findings) {
    recorded[name] = Object.fromEntries(ratios.map(({ what, value }) => [what, Number(value.toFixed(3))]));
  }
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}

/** A sentence for each ratio with a target that lost more than is tolerated. A time or size may grow up to its target. */
export function losses(findings: readonly Finding[]): string[] {
  const recorded = readRecorded();
  return findings.flatMap(({ name, ratios }) =>
    ratios
      .filter((ratio) => isLost(ratio, recorded[name]?.[ratio.what]))
      .map(({ what, value }) => `${name}: ${what} is ${value.toFixed(2)}, recorded: ${recorded[name]?.[what]}.`),
  );
}

function isLost({ value, atLeast, atMost }: RatioFinding, before = Number.NaN): boolean {
  if (atLeast !== undefined) return !(value >= before * TOLERANCE);
  return atMost !== undefined && !(value <= Math.max(atMost, before / TOLERANCE));
}

function readRecorded(): Recorded {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return {};
  }
}
