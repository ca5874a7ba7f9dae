/**
 * `npm run picture`: renews the picture of the README, in both themes, from the scene of the browser tests that shows a
 * list and an email in it.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCENE = { screen: 'emails', state: 'bounced' };
/** Bytes. */
const LARGEST = 150_000;

const tests = [
  'test/support/run-tests.mjs',
  ...['--selectProjects', 'browser', '--testPathPatterns', 'browser/screens'],
  ...['-t', `${SCENE.screen}: ${SCENE.state}$`],
];
const { status } = spawnSync(process.execPath, tests, {
  ...{ cwd: ROOT, stdio: 'inherit' },
  env: { ...process.env, TEST_WHOLE: 'true' },
});
if (status !== 0) process.exit(1);

for (const theme of ['light', 'dark']) {
  const picture = `screenshots/screens/${SCENE.screen}-${SCENE.state}-${theme}-1280.png`;
  const { size } = statSync(`${ROOT}/${picture}`);
  if (size > LARGEST) throw new Error(`${picture} has ${size} bytes; at most ${LARGEST} are allowed.`);
  copyFileSync(`${ROOT}/${picture}`, `${ROOT}/docs/dashboard-${theme}.png`);
}
