import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { PATIENCE } from '../basics/patience.mjs';
import { fromTestRun } from '../jest/test-environment.js';
import { PageTester, type PageTesterOptions, type Visited } from './page-tester.js';

export interface VisitOptions extends PageTesterOptions {
  /** In pixels. Default: 1280. */
  width?: number;
  /** Default: 800. */
  height?: number;
  /** Cookies and storage of an earlier page, with its session. Default: none. */
  storageState?: Exclude<BrowserContextOptions['storageState'], string>;
}

/** Makes no requests of its own, and needs no screen. */
const ARGUMENTS = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync', '--hide-scrollbars'],
  ...['--disable-background-networking', '--disable-component-update', '--force-color-profile=srgb'],
];

/** Time for the text of a page whose test failed: it may have crashed. Milliseconds. */
const SHOWING = 5_000;

/** The browser of a test file. */
export class TestBrowser {
  private launched: Promise<Browser> | undefined;
  private pages: PageTester[] = [];

  /** A blank page of a fresh browser. */
  async visit(host: Visited, options: VisitOptions = {}): Promise<PageTester> {
    this.launched ??= chromium.launch({
      executablePath: fromTestRun('TEST_CHROMIUM'),
      args: ARGUMENTS,
      timeout: PATIENCE,
    });
    const { width = 1280, height = 800, storageState } = options;
    const context = await (await this.launched).newContext({
      viewport: { width, height },
      reducedMotion: 'reduce',
      colorScheme: 'light',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      acceptDownloads: true,
      ...(storageState && { storageState }),
    });
    context.setDefaultTimeout(PATIENCE);
    const tester = new PageTester(await context.newPage(), host, options);
    this.pages.push(tester);
    return tester;
  }

  /** The same, signed in with the host's key, at `path` below where the page is mounted. */
  async signedIn(host: Visited, path = '', options: VisitOptions = {}): Promise<PageTester> {
    const tester = await this.visit(host, options);
    await tester.open(path);
    await tester.signIn();
    return tester;
  }

  /** Closes the pages of a test, and reports their faults; shows what they showed if it failed. */
  async endOfTest(): Promise<string[]> {
    const pages = this.pages.splice(0);
    if ((globalThis as { testHasFailed?: boolean }).testHasFailed) {
      for (const { path, page } of pages) {
        const shown = await page.locator('body').innerText({ timeout: SHOWING }).catch(String);
        console.error(`${path}\n${shown}`);
      }
    }
    await Promise.all(pages.map(({ page }) => page.context().close()));
    return pages.flatMap(({ problems }) => problems);
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    await (await this.launched)?.close();
  }
}

/**
 * Gives a test file its browser: call it once, at the top of the file. Unexpected faults of a page (errors in the
 * console, in scripts, of its policy, requests to other hosts) fail the test in which they occur.
 */
export function useBrowser(): TestBrowser {
  const browser = new TestBrowser();
  afterEach(async () => {
    expect(await browser.endOfTest()).toEqual([]);
  }, PATIENCE);
  afterAll(() => browser.close(), PATIENCE);
  return browser;
}
