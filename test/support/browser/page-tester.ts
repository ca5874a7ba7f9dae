import type { Page, Request } from 'playwright-core';
import type { RunningHost } from '../hosts/running-host.js';
import { audit } from './audit.js';

/** Somebody who may be visited, and a key of his. */
export type Visited = Pick<RunningHost, 'url' | 'token'>;

export interface PageTesterOptions {
  /** Where the page is mounted. Default: `/dashboard`. */
  mount?: string;
  /** What the console may say in this test, such as that the browser kept from loading what it had to. */
  expected?: readonly RegExp[];
}

/** The dashboard's page as somebody has it before him, who keeps note of what goes wrong in it. */
export class PageTester {
  /** What went wrong so far, and was not expected. */
  readonly problems: string[] = [];
  /** The addresses of all that was asked for, of `data:` the first characters. */
  readonly requested: string[] = [];
  private readonly mount: string;

  constructor(
    /** What Playwright knows of it, and does with it. */
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
    // Of all pages of the context, such as those that a link opened.
    page.context().on('request', (request) => this.look(request, note));
  }

  /** Goes to an address below where the page is mounted. */
  async open(path = ''): Promise<void> {
    await this.page.goto(this.mount + path);
  }

  /** Where the page is, below where it is mounted, with its query. */
  get path(): string {
    const { href } = new URL(this.page.url());
    return href.startsWith(this.mount) ? href.slice(this.mount.length) : href;
  }

  /** Gives the page a key, by default the host's own, and waits until it is in. */
  async signIn(token: string = this.host.token): Promise<void> {
    await this.page.getByLabel('API key').fill(token);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor();
  }

  /** Leads to a screen by the navigation. */
  async goTo(title: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: title, exact: true })
      .click();
  }

  /**
   * Has axe-core judge what is there in both themes, looks whether it fits 320 px, and leaves pictures of it all in
   * `screenshots`. Waits for nothing: the test knows when the screen is complete.
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
