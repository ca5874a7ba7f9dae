import { readFileSync, writeFileSync } from 'node:fs';
import type { Finding } from './finding.js';

const FILE = new URL('../recorded.json', import.meta.url);

/** How much of a recorded ratio may be lost before the guard speaks up. */
const TOLERANCE = 0.8;

type Recorded = Record<string, Record<string, number>>;

export function record(findings: readonly Finding[]): void {
  const recorded = readRecorded();
  for (const { name, ratios } of findings) {
    recorded[name] = Object.fromEntries(ratios.map(({ what, value }) => [what, Number(value.toFixed(3))]));
  }
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}

/** False when a ratio that should be large has fallen below 0.8 of what was recorded. */
export function guard(findings: readonly Finding[]): boolean {
  const recorded = readRecorded();
  let held = true;
  for (const { name, ratios } of findings) {
    for (const { what, value, atLeast } of ratios) {
      const before = recorded[name]?.[what];
      if (before === undefined || atLeast === undefined || value >= before * TOLERANCE) continue;
      held = false;
      console.error(`${name}: ${what} is ${value.toFixed(2)}, below ${TOLERANCE} of the recorded ${before}.`);
    }
  }
  return held;
}

function readRecorded(): Recorded {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return {};
  }
}
