import type { Page } from 'playwright-core';
import { until } from '../basics/wait-for.js';

/** Bounds of the page, each for one measure. */
export const BOUNDS = {
  /** Bytes on the wire of an idle page in a minute, headers included. */
  idleMinute: 10_000,
  /** Bytes of compressed script until the first screen is shown. */
  firstScript: 150_000,
  /** Time to the first rows of a list, as a multiple of the time of an empty list in the same run. */
  firstRows: 2,
} as const;

/** Window sizes at which nothing may be cut off: a small phone, and a window of 1280 px at 200 % zoom. */
export const TIGHT = { '320 px': [320, 640], '200 % zoom': [640, 400] } as const;

interface Shift {
  value: number;
  nodes: string[];
}

/** Values that the script in the page keeps. */
declare global {
  var shifts: Shift[];
  var shownAt: number | undefined;
}

/** Makes a page record layout shifts, from its next load on. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.shifts = [];
    type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${node.classList}` : (node?.textContent ?? 'a removed node');
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[])
        if (!hadRecentInput) globalThis.shifts.push({ value, nodes: sources.map(({ node }) => nameOf(node)) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Layout shifts since the load, in words. Those within half a second of an input count as its effect. */
export async function shiftsOf(page: Page): Promise<string[]> {
  // The browser reports a shift with the frame after it.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
  const shifts = await page.evaluate(() => globalThis.shifts);
  return shifts.map(({ value, nodes }) => `${nodes.join(', ')} moved: ${value.toFixed(4)}`);
}

/** Makes a page record when it first shows an element, from its next load on. */
export async function recordFirst(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    globalThis.shownAt = undefined;
    new MutationObserver((_, observer) => {
      if (!document.querySelector(wanted)) return;
      // When the frame with it is painted.
      requestAnimationFrame(() => {
        globalThis.shownAt = performance.now();
      });
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, selector);
}

/** Milliseconds from the start of a load until the page showed that element. */
export function firstShown(page: Page): Promise<number> {
  return until(() => page.evaluate(() => globalThis.shownAt));
}

/** Compressed bytes of all scripts that the page has loaded. */
export function scriptBytes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = resources.filter(({ name }) => /\.m?js(\?|$)/.test(name));
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
}

/** Sizes of `TIGHT` at which the page must be scrolled sideways, in words. */
export async function overflows(page: Page): Promise<string[]> {
  const found: string[] = [];
  const size = page.viewportSize();
  for (const [name, [width, height]] of Object.entries(TIGHT)) {
    await page.setViewportSize({ width, height });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > width) found.push(`is ${needed} px wide in a window of ${width} px (${name})`);
  }
  if (size) await page.setViewportSize(size);
  return found;
}
