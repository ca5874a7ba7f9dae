import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { type AnsweredDomain, DomainRequests } from '../support/requests/domain-requests.js';

const browser = useBrowser();

/** Messages of the browser about refusals. */
const REFUSED = /^console: Failed to load resource: .* 422/;
const GONE = /^console: Failed to load resource: .* 404/;

let dns: DnsServer;
let host: RunningHost;
let domains: DomainRequests;

beforeAll(async () => {
  dns = await DnsServer.start();
  const env = {
    DNS_SERVERS: dns.address,
    BOUNCE_DOMAIN: 'bounces.relay.test',
    BOUNCE_HOST: 'mx.relay.test',
    SPF_MECHANISMS: 'ip4:192.0.2.1',
  };
  host = await startHost({ env: { ...env, RATE_LIMIT_PER_SECOND: '1000' } });
  domains = new DomainRequests(host, dns);
});

const button = ({ page }: PageTester, name: string) => page.getByRole('button', { name, exact: true });

/** The text of the code next to a button that copies it. */
const beside = (tester: PageTester, name: string) => button(tester, name).locator('xpath=../code').innerText();

describe('domains', () => {
  it('lead from nothing to a verified domain by copying its records', async () => {
    const tester = await browser.signedIn(host, '/domains', { expected: [REFUSED] });
    const { page } = tester;
    await page.getByText('No domains yet').waitFor();
    await tester.audit('domains-empty');
    await button(tester, 'Add domain').click();
    await page.getByLabel('Domain', { exact: true }).fill('not a domain');
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain', { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await tester.audit('domain-new');
    await page.getByLabel('Domain', { exact: true }).fill('Shop.Example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shop.example' }).waitFor();
    await page.getByText('Next: copy these records').waitFor();
    await tester.audit('domain-not-started');

    const records = await Promise.all(
      ['DKIM', 'Bounces (MX)', 'SPF'].map(async (title) => ({
        type: title === 'Bounces (MX)' ? 'MX' : 'TXT',
        name: await beside(tester, `Copy the name of ${title}`),
        value: await beside(tester, `Copy the value of ${title}`),
        priority: 10,
      })),
    );
    publishRecords(dns.zone, 'shop.example', records);
    await button(tester, 'Verify now').click();
    await page.getByText('Emails from shop.example are signed.').waitFor();
    await page.getByText('Signs emails').waitFor();
    await page.getByText('All records are there.').first().waitFor();
    expect((await domains.get(tester.path.replace('/domains/', ''))).status).toBe('verified');
    await tester.audit('domain-verified');
  });

  it('say what is wrong with a record, in whatever bytes', async () => {
    const { id, name, records } = await domains.create({ name: 'wrong.example' });
    publishRecords(
      dns.zone,
      name,
      records.filter(({ record }) => record === 'DKIM'),
    );
    dns.zone[`send.${name}`] = { TXT: ['v=spf1 ~all', 'v=spf1 <b>\u202e\u0007 ~all'] };
    await domains.verify(id);
    const tester = await browser.signedIn(host, '/domains');
    const { page } = tester;
    await page
      .getByRole('link', { name: /wrong\.example/ })
      .getByText('2 records left')
      .waitFor();
    await page.getByRole('link', { name: /wrong\.example/ }).click();
    await page.getByText('There are 2 SPF records at this name').waitFor();
    await page.getByText('v=spf1 <b>').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/\u202e/);
    await page.getByText('There is no such record yet').first().waitFor();
    await tester.audit('domain-wrong');
    await page.setViewportSize({ width: 320, height: 700 });
    await tester.audit('domain-wrong-narrow');
  });

  it('rotate their keys with an overlap', async () => {
    const { id } = await domains.createVerified({ name: 'rotated.example', dkim: ['rsa', 'ed25519'] });
    const tester = await browser.signedIn(host, `/domains/${id}`);
    const { page } = tester;
    await page.getByText('Signs emails').nth(1).waitFor();
    await button(tester, 'More').click();
    await page.getByRole('menuitem', { name: 'Rotate keys' }).click();
    await tester.audit('domain-rotate');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }).click();
    await page.getByText('Waits for its record').nth(1).waitFor();
    expect(await page.getByText('Signs emails').count()).toBe(2);
    publishRecords(
      dns.zone,
      'rotated.example',
      (await domains.get(id)).records.filter(({ status }) => status !== 'verified'),
    );
    await button(tester, 'Verify now').click();
    await page.getByText('Replaced', { exact: true }).nth(1).waitFor();
    await tester.audit('domain-rotated');
  });

  it('change their encryption, and are deleted by their name alone', async () => {
    const { id } = await domains.create({ name: 'gone.example' });
    const tester = await browser.signedIn(host, `/domains/${id}`, { expected: [GONE] });
    const { page } = tester;
    await page.getByLabel('Delivery').selectOption('enforced');
    await until(async () => ((await domains.get(id)) as AnsweredDomain & { tls: string }).tls === 'enforced');
    await button(tester, 'More').click();
    await page.getByRole('menuitem', { name: 'Delete domain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To confirm, type gone.example').fill('gone.exampl');
    expect(await dialog.getByRole('button', { name: 'Delete domain' }).isDisabled()).toBe(true);
    await tester.audit('domain-delete');
    await dialog.getByLabel('To confirm, type gone.example').fill('gone.example');
    await dialog.getByRole('button', { name: 'Delete domain' }).click();
    await until(() => tester.path === '/domains');
    expect((await host.request('GET', `/domains/${id}`)).status).toBe(404);
  });

  it('are read and not changed by a viewer', async () => {
    const { id } = await domains.create({ name: 'viewed.example' });
    const body = { name: 'Reception', page_role: 'viewer' };
    const { token } = (await host.request<{ token: string }>('POST', '/api-keys', { body })).body;
    const tester = await browser.visit(host, {});
    await tester.open(`/domains/${id}`);
    await tester.signIn(token);
    const { page } = tester;
    await page.getByText('Next: copy these records').waitFor();
    await button(tester, 'Copy the value of DKIM').waitFor();
    for (const name of ['Verify now', 'More', 'Add domain']) expect(await button(tester, name).count()).toBe(0);
    expect(await page.getByLabel('Delivery').isDisabled()).toBe(true);
  });
});
