import { createHash } from 'node:crypto';

/** A suite that takes longer is long. Seconds. */
const LONG = 10;

/** Seconds of the recorded suites of a short run, of all workers together. */
export const BUDGET = 1_100;

/** Suites of every short run: the contract at drivers and queues, the path of an email, and the page's screens and tasks. */
export const ALWAYS = [
  'attachments',
  'batch',
  'delivery',
  'idempotency',
  'isolation',
  'lifecycle',
  'listing',
  'outage-postgres',
  'screens',
  'signed-mail',
  'states',
  'tasks',
];

/**
 * Chooses the suites of a short run: every short one and those of `ALWAYS`, then as many of the long ones as fit, in an
 * order that the seed draws. A suite without a record is a short one.
 *
 * @param {{ name: string, seconds: number }[]} suites `project path`, and the recorded seconds
 */
export function chooseSuites(suites, seed, budget = BUDGET) {
  const isDrawn = ({ name, seconds }) => seconds > LONG && !ALWAYS.includes(stemOf(name));
  const position = ({ name }) => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  const chosen = suites.filter((suite) => !isDrawn(suite));
  const leftOut = [];
  let left = budget - chosen.reduce((sum, { seconds }) => sum + seconds, 0);
  for (const suite of suites.filter(isDrawn).sort((a, b) => (position(a) < position(b) ? -1 : 1))) {
    if (suite.seconds > left) {
      leftOut.push(suite);
    } else {
      left -= suite.seconds;
      chosen.push(suite);
    }
  }
  return { chosen, leftOut };
}

/** `batch` of `e2e redis test/e2e/batch.e2e-spec.ts`. */
function stemOf(name) {
  return name.slice(name.lastIndexOf('/') + 1).split('.')[0];
}
