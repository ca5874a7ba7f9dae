import { readFileSync, writeFileSync } from 'node:fs';
import type { Finding, RatioFinding } from './finding.js';

const FILE = new URL('../recorded.json', import.meta.url);

/** How much of a recorded ratio must be left. */
const TOLERANCE = 0.8;

/** Puts what was found in the place of what was recorded of the same rows; resolves with all rows. */
export function record(findings: readonly Finding[], names: readonly string[]): Finding[] {
  const recorded = new Map([...readRecorded(), ...findings].map((finding) => [finding.name, finding]));
  const all = names.flatMap((name) => recorded.get(name) ?? []);
  writeFileSync(FILE, `${JSON.stringify(all, brief, 2)}\n`);
  return all;
}

/**
 * A sentence for each ratio with a target that lost more than is tolerated. A time or size may grow up to its target; what
 * was never recorded is held to the target alone, and what has a guard to that.
 *
 * @param busy other work may run on this machine
 */
export function losses(findings: readonly Finding[], busy: boolean): string[] {
  const recorded = readRecorded();
  return findings.flatMap(({ name, ratios }) => {
    const before = recorded.find((finding) => finding.name === name)?.ratios;
    return ratios.flatMap((ratio) => {
      const was = before?.find(({ what }) => what === ratio.what)?.value;
      const isSkipped = ratio.absolute || (busy && ratio.alone && ratio.guard === undefined);
      return !isSkipped && isLost(ratio, was)
        ? [`${name}: ${ratio.what} is ${ratio.value.toFixed(2)}, recorded: ${was}.`]
        : [];
    });
  });
}

function isLost({ value, atLeast, atMost, guard }: RatioFinding, before = atLeast ?? 0): boolean {
  if (atLeast !== undefined) return !(value >= (guard ?? before * TOLERANCE));
  return atMost !== undefined && !(value <= (guard ?? Math.max(atMost, before / TOLERANCE)));
}

/** For JSON: figures with four digits. */
export function brief(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

function readRecorded(): Finding[] {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return [];
  }
}
