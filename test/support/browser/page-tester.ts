import type { Page, Request } from 'playwright-core';
import type { RunningHost } from '../hosts/running-host.js';
import { audit } from './audit.js';

/** A host to visit, and a key of it. */
export type Visited = Pick<RunningHost, 'url' | 'token'>;

export interface PageTesterOptions {
  /** Where the page is mounted. Default: `/dashboard`. */
  mount?: string;
  /** Messages that the console may have in this test, such as a blocked request. */
  expected?: readonly RegExp[];
}

/** The dashboard's page in a browser, with a record of its faults. */
export class PageTester {
  /** Unexpected faults so far. */
  readonly problems: string[] = [];
  /** The addresses of all requests; of `data:` only the first characters. */
  readonly requested: string[] = [];
  private readonly mount: string;

  constructor(
    /** Playwright's handle of it. */
    readonly page: Page,
    private readonly host: Visited,
    { mount = '/dashboard', expected = [] }: PageTesterOptions = {},
  ) {
    this.mount = new URL(host.url).origin + mount;
    const note = (problem: string) => {
      if (!expected.some((pattern) => pattern.test(problem))) this.problems.push(problem);
    };
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        note(`console: ${message.text()} ${message.location().url}`.trim());
    });
    page.on('pageerror', (error) => note(`script: ${error.stack ?? error.message}`));
    // Covers all pages of the context, such as those that a link opened.
    page.context().on('request', (request) => this.look(request, note));
  }

  /** Opens a path below the mount path. */
  async open(path = ''): Promise<void> {
    await this.page.goto(this.mount + path);
  }

  /** Current path below the mount path, with its query. */
  get path(): string {
    const { href } = new URL(this.page.url());
    return href.startsWith(this.mount) ? href.slice(this.mount.length) : href;
  }

  /** Signs in with a key, by default the host's, and waits for the page. */
  async signIn(token: string = this.host.token): Promise<void> {
    await this.page.getByLabel('API key').fill(token);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor();
  }

  /** Opens a screen through the navigation. */
  async goTo(title: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: title, exact: true })
      .click();
  }

  /**
   * Runs axe-core in both themes, checks that the page fits 320 px, and saves pictures in `screenshots`. Does not wait:
   * the test knows when the screen is complete.
   */
  async audit(name: string): Promise<void> {
    expect(await audit(this.page, name)).toEqual([]);
  }

  private look(request: Request, note: (problem: string) => void): void {
    const url = request.url();
    this.requested.push(url.slice(0, 200));
    if (/^(data|blob|about):/.test(url)) return;
    if (new URL(url).origin !== new URL(this.host.url).origin) note(`a request to ${url.slice(0, 200)}`);
  }
}
