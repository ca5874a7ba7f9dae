import type { Page } from 'playwright-core';
import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const OPERATORS_TOKEN = 'of-the-operators-of-the-tests';

/** Of an idle page in a minute, headers included. Bytes. */
const BUDGET = 10_000;

describe('an idle page', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { ADMIN_TOKEN: OPERATORS_TOKEN } });
  });

  it('of Health takes at most 10 kB a minute', async () => {
    const tester = await browser.visit(host, { expected: [/403 \(/] });
    const { page } = tester;
    await page.clock.install();
    await tester.open('/health');
    await tester.signIn();
    await page.getByLabel('Operator token').fill(OPERATORS_TOKEN);
    await page.getByRole('button', { name: 'Show health' }).click();
    await page.getByText('Emails are accepted and sent.').waitFor();
    const { bytes, requests } = await minuteOf(page);
    expect(requests).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(BUDGET);
  });

  it('of Emails takes at most 10 kB a minute', async () => {
    for (let n = 0; n < 30; n += 1) {
      const body = { from: 'shop@example.com', to: `p${n}@example.com`, subject: `Email ${n}`, text: 'x' };
      expect((await host.request('POST', '/emails', { body })).status).toBe(200);
    }
    await until(async () => {
      const { body } = await host.request<{ count: number }>('GET', '/emails/count?last_event=delivered');
      return body.count === 30;
    });
    const tester = await browser.visit(host);
    const { page } = tester;
    await page.clock.install();
    await tester.open('/emails');
    await tester.signIn();
    await page.getByRole('link', { name: /Email 29/ }).waitFor();
    const { bytes, requests } = await minuteOf(page);
    expect(requests).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(BUDGET);
  });
});

/** Counts the bytes that the page sends and receives in a minute of its clock. */
async function minuteOf(page: Page): Promise<{ bytes: number; requests: number }> {
  let [bytes, started, ended] = [0, 0, 0];
  page.on('request', () => {
    started += 1;
  });
  page.on('requestfinished', async (request) => {
    const sizes = await request.sizes();
    bytes += Object.values(sizes).reduce((sum, size) => sum + size, 0);
    ended += 1;
  });
  for (let second = 0; second < 60; second++) {
    await page.clock.runFor(1_000);
    await until(() => ended === started);
  }
  return { bytes, requests: started };
}
