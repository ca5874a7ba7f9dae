import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Git ignores it. */
export const SCREENSHOTS = fileURLToPath(new URL('../../../screenshots', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NARROW = 320;

/**
 * Findings of axe-core in both themes, and parts that do not fit a narrow window; saves a picture of each in
 * `screenshots`.
 */
export async function audit(page: Page, name: string): Promise<string[]> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const picture = (kind: string) => page.screenshot({ path: join(SCREENSHOTS, `${name}-${kind}.png`) });
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await judge(page)).map((finding) => `${theme}: ${finding}`));
    await picture(theme);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: NARROW, height: 640 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > NARROW) found.push(`is ${width} px wide in a window of ${NARROW} px`);
  found.push(...(await judge(page)).map((finding) => `narrow: ${finding}`));
  await picture('narrow');
  if (size) await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** One line for each finding of axe-core. Frames contain strangers' html, and are not judged. */
export async function judge(page: Page): Promise<string[]> {
  // Code evaluated this way does not depend on the page's policy.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, { iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id} at ${target}: ${failureSummary.replaceAll(/\s+/g, ' ')}`),
    );
  });
}
