import type { Page } from 'playwright-core';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

/** Events of the browser when its tab is left, and opened again. */
function look(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

describe('metrics', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
  });

  it('explains an empty screen', async () => {
    const tester = await browser.signedIn(host, '/metrics');
    await tester.page.getByRole('heading', { name: 'No emails in this time' }).waitFor();
    await tester.page.getByText(`curl '${host.url}/emails'`).waitFor();
    await tester.audit('metrics-empty');
  });

  describe('with events', () => {
    beforeAll(async () => {
      const email = { from: 'us@example.com', subject: 'Hello', text: 'x' };
      for (const to of [['a@example.com', 'b@example.com'], ['c@example.com'], ['bounced@example.com']]) {
        await host.request('POST', '/emails', { body: { ...email, to } });
      }
      await until(async () => {
        const { body } = await host.request<{ totals: { delivered: number; bounced: number } }>(
          'GET',
          '/emails/metrics',
        );
        return body.totals.delivered === 3 && body.totals.bounced === 1;
      });
    });

    it('counts each recipient once in a bar, and all of them in the table', async () => {
      const tester = await browser.signedIn(host, '/metrics?range=24h');
      const { page } = tester;
      await page.getByRole('img', { name: /^Recipients by hour, / }).waitFor();
      await page.getByRole('button', { name: 'Delivered 3' }).waitFor();
      await page.getByRole('button', { name: 'Sent, delivery not known 0' }).waitFor();
      expect(await page.locator('.metrics-chart .piece').count()).toBe(2);
      await page.getByRole('img', { name: 'Bounce rate, with 2 % drawn in' }).waitFor();
      await page.getByRole('img', { name: 'Complaint rate, with 0.1 % and 0.3 % drawn in' }).waitFor();
      await page.getByText('25 %', { exact: true }).waitFor();
      expect(await page.getByText('Of few recipients: it says something from 500 on.').count()).toBe(2);
      await tester.audit('metrics');

      await page.keyboard.press('t');
      await page.getByRole('table', { name: /^Recipients by hour/ }).waitFor();
      expect(tester.path).toBe('/metrics?range=24h&as=table');
      const table = page.getByRole('region', { name: /^Recipients by hour/ });
      // 24 hours, and the names and the totals.
      expect(await table.getByRole('row').count()).toBe(26);
      expect(await page.getByRole('row', { name: 'Total' }).innerText()).toBe('Total\t3\t3\t0\t1\t0\t0\t0');
      await tester.audit('metrics-table');
    });

    it('leads from a number to its emails, and compares it with the period before', async () => {
      const tester = await browser.signedIn(host, '/metrics');
      const { page } = tester;
      await page.getByText('Compared with the 7 days before').waitFor();
      await page.getByText('Up from 0').first().waitFor();
      await page.getByRole('combobox', { name: 'Bars' }).selectOption('by hour');
      await page.getByRole('img', { name: /^Recipients by hour, / }).waitFor();
      expect(tester.path).toBe('/metrics?by=hourly');
      const domain = page.getByRole('region', { name: 'By sender domain' }).last().getByRole('row').last();
      expect(await domain.innerText()).toMatch(/^example\.com\t3\t3/);
      await page.getByRole('link', { name: '1', exact: true }).click();
      await page.getByText('bounced@example.com').first().waitFor();
      expect(decodeURIComponent(tester.path)).toMatch(/^\/emails\?q=state:bounced\+after:/);
    });

    it('hides and shows series, in the address too', async () => {
      const tester = await browser.signedIn(host, '/metrics');
      const { page } = tester;
      const bounced = page.getByRole('button', { name: 'Bounced 1' });
      await bounced.click();
      expect(await bounced.getAttribute('aria-pressed')).toBe('false');
      expect(tester.path).toBe('/metrics?hide=bounced');
      expect(await page.locator('.metrics-chart .piece').count()).toBe(1);
      await page.reload();
      await page.getByRole('button', { name: 'Bounced 1', pressed: false }).click();
      expect(tester.path).toBe('/metrics');
      expect(await page.locator('.metrics-chart .piece').count()).toBe(2);
    });

    it('polls each minute, and not while it is hidden', async () => {
      const tester = await browser.visit(host);
      const { page } = tester;
      await page.clock.install();
      await tester.open('/metrics');
      await tester.signIn();
      await page.getByRole('button', { name: 'Delivered 3' }).waitFor();
      const asked = () => tester.requested.filter((url) => /\/emails\/metrics.*dimensions=period/.test(url)).length;
      const before = asked();
      await page.clock.fastForward(61_000);
      await until(() => asked() === before + 1);

      await look(page, 'hidden');
      await page.clock.fastForward(61_000);
      await page.clock.fastForward(61_000);
      await look(page, 'visible');
      // Polls once more when it is visible again, and not meanwhile.
      await until(() => asked() >= before + 2);
      expect(asked()).toBe(before + 2);
    });

    it('shows a custom range, in the zone of the reader', async () => {
      const tester = await browser.signedIn(host, '/metrics');
      const { page } = tester;
      await page.getByRole('button', { name: 'Custom range' }).click();
      await page.getByLabel('From').fill('2026-01-10');
      await page.getByLabel('to', { exact: true }).fill('2026-01-14');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('img', { name: /^Recipients by day, Sat,? 10 Jan 2026 to Wed,? 14 Jan 2026/ }).waitFor();
      expect(tester.path).toBe('/metrics?from=2026-01-10&to=2026-01-14');
      const asked = tester.requested.findLast((url) => /\/emails\/metrics.*dimensions=period/.test(url));
      expect(new URL(asked ?? '').searchParams.get('timezone')).toBe('Europe/Berlin');
      expect(new URL(asked ?? '').searchParams.get('start_date')).toBe('2026-01-09T23:00:00.000Z');
      expect(new URL(asked ?? '').searchParams.get('end_date')).toBe('2026-01-14T23:00:00.000Z');
    });
  });
});
