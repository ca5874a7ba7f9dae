import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inputs } from './inputs.js';
import type { Part } from './part.js';
import type { Pass, Records } from './records.js';
import { logOf, runPart } from './run-part.js';

export interface Scene {
  root: string;
  parts: readonly Part[];
  records: Records;
  /** Also runs parts that are unchanged since they passed. */
  again: boolean;
  stop: AbortSignal;
}

export interface Outcome {
  /** It passed, or is unchanged since it passed. */
  good: boolean;
  /** A line of the summary. */
  text: string;
}

const MINUTE = 60_000;

/** Runs one part, unless it is unchanged since it passed, and records it when it passed. */
export async function prove(part: Part, scene: Scene): Promise<Outcome> {
  const { root, records, again, stop } = scene;
  const inputs = new Inputs(root, part.inputs);
  // Before it runs, because the mutations edit their inputs.
  const fingerprint = inputs.fingerprint();
  const pass = records.read().get(part.name);
  if (pass?.inputs === fingerprint && !again) return said(true, `${part.name}: ${unchangedSince(pass)}`);
  const commit = commitOf(root, inputs);
  const { failure, minutes } = await runAloud(part, root, stop);
  const seen = `${minutes} minutes, see ${logOf(part)}`;
  if (stop.aborted) return said(false, `${part.name}: stopped after ${seen}`);
  if (failure !== undefined) return said(false, `${part.name}: FAILED, ${failure}, after ${seen}`);
  if (inputs.fingerprint() !== fingerprint) return said(false, `${part.name}: FAILED, its inputs changed while it ran`);
  const date = new Date().toISOString().slice(0, 10);
  const proves = provenBy(part, root);
  records.add(part.name, { proves, date, commit, minutes, inputs: fingerprint }, scene.parts);
  return said(true, `${part.name}: passed in ${minutes} minutes`);
}

/** Says in words if it passed, and if its inputs changed since. */
export function stateOf(part: Part, records: Records, root: string): string {
  const pass = records.read().get(part.name);
  if (pass === undefined) return 'has not passed yet';
  if (pass.inputs === new Inputs(root, part.inputs).fingerprint()) return unchangedSince(pass);
  return `its inputs changed since it passed ${onThatDay(pass)}`;
}

/** Reports the elapsed time each minute. */
async function runAloud(
  part: Part,
  root: string,
  stop: AbortSignal,
): Promise<{ failure: string | undefined; minutes: string }> {
  const started = performance.now();
  const minutes = () => ((performance.now() - started) / MINUTE).toFixed(1);
  console.log(`${part.name}: begins, output in ${logOf(part)}`);
  const progress = setInterval(() => console.log(`${part.name}: ${minutes()} minutes`), MINUTE);
  try {
    const failure = await runPart(part, root, stop);
    return { failure, minutes: minutes() };
  } finally {
    clearInterval(progress);
  }
}

function said(good: boolean, text: string): Outcome {
  console.log(text);
  return { good, text };
}

function unchangedSince(pass: Pass): string {
  return `unchanged since it passed ${onThatDay(pass)}`;
}

function onThatDay({ date, commit, minutes }: Pass): string {
  return `on ${date} at ${commit} in ${minutes} minutes`;
}

function commitOf(root: string, inputs: Inputs): string {
  const head = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  return inputs.areCommitted() ? head : `${head}+`;
}

/** With the version of Node if it differs from that of other parts. */
function provenBy({ proves, node }: Part, root: string): string {
  if (node === undefined) return proves;
  const { version } = JSON.parse(readFileSync(join(root, node, 'package.json'), 'utf8')) as { version: string };
  return `${proves}, on Node ${version}`;
}
