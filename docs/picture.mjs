/**
 * `npm run picture`: renews the picture of the README, in both themes, from the scene of the browser tests that shows a
 * list and an email in it. Lossless WebP is smaller than the tests' PNG.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findProgram } from '../test/support/servers/redis-server.mjs';

const ROOT = join(import.meta.dirname, '..');
const SCENE = { screen: 'emails', state: 'bounced' };
/** Bytes. */
const LARGEST = 150_000;

const tests = [
  'test/support/run-tests.mjs',
  ...['--selectProjects', 'browser', '--testPathPatterns', 'browser/screens'],
  ...['-t', `${SCENE.screen}: ${SCENE.state}$`],
];
const env = { ...process.env, TEST_WHOLE: 'true' };
const { status } = spawnSync(process.execPath, tests, { cwd: ROOT, stdio: 'inherit', env });
if (status !== 0) process.exit(1);

const executablePath = process.env.TEST_CHROMIUM || findProgram('chromium', 'chromium-browser', 'google-chrome');
const browser = await chromium.launch({ executablePath });
try {
  const page = await browser.newPage();
  for (const theme of ['light', 'dark']) {
    const png = readFileSync(join(ROOT, `screenshots/screens/${SCENE.screen}-${SCENE.state}-${theme}-1280.png`));
    const webp = Buffer.from(await page.evaluate(convert, png.toString('base64')), 'base64');
    if (webp.length > LARGEST) throw new Error(`The ${theme} picture has ${webp.length} bytes, more than ${LARGEST}.`);
    writeFileSync(join(ROOT, `docs/dashboard-${theme}.webp`), webp);
  }
} finally {
  await browser.close();
}

/** Runs in the page: PNG → WebP, both in base64. */
async function convert(png) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 1).split(',')[1];
}
