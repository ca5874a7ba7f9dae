import type { Page } from 'playwright-core';
import { until } from '../../basics/wait-for.js';
import { type RunningHost, startHost } from '../../hosts/host.js';
import type { TestBrowser, VisitOptions } from '../browser.js';
import type { PageTester } from '../page-tester.js';
import { startOutage } from './outage.js';
import type { Place, Visitor } from './scenes.js';
import { OPERATORS_TOKEN, type Shop, startShop } from './shop.js';
import { SHOP_EMAILS } from './shop-emails.js';

type Session = NonNullable<VisitOptions['storageState']>;

/** The hosts of the gallery, each started when it is first visited, and the sessions of their visitors. */
export class Places {
  private readonly hosts = new Map<string, Promise<RunningHost>>();
  private readonly sessions = new Map<string, Promise<Session>>();
  private opened: Promise<Shop> | undefined;

  constructor(private readonly browser: TestBrowser) {}

  shop(): Promise<Shop> {
    this.opened ??= startShop();
    return this.opened;
  }

  /** A blank page of a visitor, who is signed in unless a stranger. */
  async visit(place: Place, visitor: Visitor, options: VisitOptions): Promise<PageTester> {
    const host = await once(this.hosts, place, () => this.start(place));
    if (visitor === 'stranger') return this.browser.visit(host, options);
    const storageState = await once(this.sessions, `${place} ${visitor}`, () => this.signIn(host, visitor));
    return this.browser.visit(host, { ...options, storageState });
  }

  private async start(place: Place): Promise<RunningHost> {
    if (place === 'shop') return (await this.shop()).host;
    if (place === 'outage') return (await startOutage()).host;
    const host = await startHost({ env: { ADMIN_TOKEN: OPERATORS_TOKEN } });
    if (place === 'development') await fillInbox(host);
    return host;
  }

  private async signIn(host: RunningHost, visitor: Visitor): Promise<Session> {
    const token = visitor === 'viewer' ? await viewerKey(host) : host.token;
    const tester = await this.browser.signedIn({ url: host.url, token }, '/health', { expected: [/403 \(/] });
    if (visitor === 'operator') await showHealth(tester.page);
    return tester.page.context().storageState();
  }
}

/** Gives the operators' token on the Health screen. */
export async function showHealth(page: Page): Promise<void> {
  const field = page.getByLabel('Operator token');
  await field.fill(OPERATORS_TOKEN);
  await page.getByRole('button', { name: 'Show health' }).click();
  await field.waitFor({ state: 'detached' });
}

async function fillInbox(host: RunningHost): Promise<void> {
  const sent = SHOP_EMAILS.filter(({ scheduled_at }) => scheduled_at === undefined);
  for (const body of sent) await host.request('POST', '/emails', { body });
  await until(async () => {
    const { data } = (await host.request<{ data: unknown[] }>('GET', '/inbox')).body;
    return data.length >= sent.length;
  });
}

async function viewerKey(host: RunningHost): Promise<string> {
  const body = { name: 'Reception', page_role: 'viewer' };
  return (await host.request<{ token: string }>('POST', '/api-keys', { body })).body.token;
}

/** The value of a name, made when it is first asked for. */
function once<Value>(made: Map<string, Promise<Value>>, name: string, make: () => Promise<Value>): Promise<Value> {
  const value = made.get(name) ?? make();
  made.set(name, value);
  return value;
}
