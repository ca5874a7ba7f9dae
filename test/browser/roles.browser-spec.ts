import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';

const browser = useBrowser();

/** A viewer and support are no operators. */
const NO_OPERATOR = /^console: Failed to load resource: .* 403 .*\/operations$/;
/** The screen of a person asks whether the address is a contact, and whether it is suppressed. */
const NOT_KNOWN = /^console: Failed to load resource: .* 404 .*\/api\/(contacts|suppressions)\/[^/]+$/;

/** Buttons and links that change something, by their words. */
const CHANGING =
  /^(New|Create|Save|Delete|Discard|Publish|Duplicate|Rename|Revoke|Edit|Disable|Rotate|Replay|Release|Add|Remove|Import|Undo|Verify)\b/;
/** Further ones, which support may use with emails. */
const OF_SUPPORT = /^(Cancel|Retry|Resend|Reschedule|Share)\b/;

const NOTICE = { viewer: 'You are signed in as a viewer', support: 'You are signed in as support' } as const;
type Role = keyof typeof NOTICE;

let host: RunningHost;
const ids: Record<string, string> = {};

beforeAll(async () => {
  host = await startHost({ env: { ADMIN_TOKEN: 'operators-only-0123456789' } });
  const make = async (path: string, body: object) =>
    (await host.request<{ id: string }>('POST', path, { body })).body.id;
  ids.email = await make('/emails', {
    ...{ from: 'us@from.test', to: 'jane@to.test', subject: 'Your code', html: '<p>Secret 4711</p>' },
    ...{ text: 'Secret 4711', scheduled_at: 'in 1 hour' },
  });
  await post(host, 'jane@to.test', { subject: 'Order', text: 'Secret 4711' });
  ids.topic = await make('/topics', { name: 'Product news', default_subscription: 'opt_in' });
  ids.contact = await make('/contacts', { email: 'kim@to.test', first_name: 'Kim' });
  ids.suppression = await make('/suppressions', { email: 'lou@to.test' });
  ids.domain = await make('/domains', { name: 'roles.example' });
  ids.template = await make('/templates', { name: 'Welcome', subject: 'Hello', html: '<p>Secret 4711</p>' });
  ids.webhook = await make('/webhooks', { endpoint: 'https://hooks.test/x', events: ['email.sent'] });
});

async function signedIn(role: Role, path = '/emails'): Promise<PageTester> {
  const body = { name: `Helpdesk ${role}`, page_role: role };
  const { token } = (await host.request<{ token: string }>('POST', '/api-keys', { body })).body;
  const tester = await browser.visit(host, { expected: [NO_OPERATOR, NOT_KNOWN] });
  await tester.open(path);
  await tester.signIn(token);
  return tester;
}

/** Opens a screen, waits until nothing more comes, and returns the names of its enabled controls. */
async function controls({ page }: PageTester): Promise<string[]> {
  await page.waitForLoadState('networkidle');
  const found = page.getByRole('main').locator('button:enabled, a.button');
  return (await found.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
}

const PLACES = [
  '/inbox',
  '/emails',
  '/emails/:email',
  '/people/jane@to.test',
  '/people/nobody@to.test',
  '/metrics',
  '/templates',
  '/templates/:template',
  '/topics',
  '/topics/:topic',
  '/topics/new',
  '/contacts',
  '/contacts/:contact',
  '/contacts/new',
  '/suppressions',
  '/suppressions/:suppression',
  '/domains',
  '/domains/:domain',
  '/health',
];

const placeOf = (path: string) => path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? '');

describe.each<Role>(['viewer', 'support'])('for a %s', (role) => {
  it('no screen offers what the role forbids, and each says why', async () => {
    const tester = await signedIn(role);
    const { page } = tester;
    for (const path of PLACES) {
      await tester.open(placeOf(path));
      await page.getByText(NOTICE[role]).waitFor();
      const offered = await controls(tester);
      const forbidden = offered.filter((name) => CHANGING.test(name) || (role === 'viewer' && OF_SUPPORT.test(name)));
      expect({ path, forbidden }).toEqual({ path, forbidden: [] });
      await tester.audit(`role-${role}-${path.replaceAll(/[^a-z]+/g, '-')}`);
    }
    // No request was refused: nothing was asked for that the role forbids (the operators' report has its own token).
    expect(tester.problems).toEqual([]);
  });

  it('webhooks, keys, the log and the first steps are not there, and their addresses say so', async () => {
    const tester = await signedIn(role);
    const { page } = tester;
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual([
      ...['Inbox', 'Emails', 'Metrics', 'Templates', 'Topics', 'Contacts', 'Suppressions', 'Domains', 'Health'],
    ]);
    for (const path of ['/webhooks', `/webhooks/${ids.webhook}`, '/keys', '/activity', '/start']) {
      await tester.open(path);
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    }
    await tester.audit(`role-${role}-nothing`);
  });

  it('forms are shown, and cannot be changed', async () => {
    const tester = await signedIn(role, `/topics/${ids.topic}`);
    const { page } = tester;
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    await tester.open(`/contacts/${ids.contact}`);
    expect(await page.getByLabel('First name').isDisabled()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Product news' }).isDisabled()).toBe(true);
    await tester.open('/topics/new');
    await page.getByText('Your role cannot change this.').waitFor();
  });
});

describe('contents', () => {
  it('are shown to support, which can cancel and cannot edit a template', async () => {
    const tester = await signedIn('support', `/templates/${ids.template}`);
    const { page } = tester;
    await page.getByLabel('HTML source').waitFor();
    expect(await page.getByLabel('HTML source').inputValue()).toContain('Secret 4711');
    expect(await page.getByLabel('HTML source').isEditable()).toBe(false);
    expect(await page.getByLabel('Subject').isEditable()).toBe(false);
    await page.getByRole('tab', { name: 'Details' }).click();
    expect(await page.getByLabel('Alias').isDisabled()).toBe(true);
    await tester.open(`/emails/${ids.email}`);
    await page
      .getByRole('button', { name: /^Cancel/ })
      .first()
      .waitFor();
  });

  it('are not shown to a viewer', async () => {
    const tester = await signedIn('viewer', `/templates/${ids.template}`);
    const { page } = tester;
    await page.getByText('Your role does not show contents.').waitFor();
    for (const path of [`/templates/${ids.template}`, '/templates', `/emails/${ids.email}`, '/inbox']) {
      await tester.open(path);
      await page.getByText(NOTICE.viewer).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.content()).not.toContain('4711');
    }
  });
});
