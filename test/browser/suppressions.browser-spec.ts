import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const BOUNCED = 'bounced+jane@example.com';

describe('suppressions', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost();
    const email = { from: 'us@example.com', to: BOUNCED, subject: 'Order 1182', text: 'x' };
    await host.request('POST', '/emails', { body: email });
    await until(async () => (await host.request('GET', `/suppressions/${BOUNCED}`)).status === 200);
  });

  it('tell why an address gets no mail, since when and by which email, and let it get mail again', async () => {
    const { body: next } = await host.request<{ id: string }>('POST', '/emails', {
      body: { from: 'us@example.com', to: BOUNCED, subject: 'Order 1183', text: 'x' },
    });
    await until(async () => {
      const { body } = await host.request<{ last_event: string }>('GET', `/emails/${next.id}`);
      return body.last_event === 'suppressed';
    });
    const tester = await browser.signedIn(host, '/suppressions', { expected: [/404 \(/] });
    const { page } = tester;
    const main = page.getByRole('main');
    await page.getByLabel('Find by the whole address').fill(BOUNCED.toUpperCase());
    await page.keyboard.press('Enter');
    await main.getByRole('heading', { name: BOUNCED }).waitFor();
    await main.getByText('An email to it bounced: the address does not work.').waitFor();
    await main
      .getByText(/^5\d\d /)
      .last()
      .waitFor();
    await main.getByText('It is removed', { exact: true }).waitFor();
    await tester.audit('suppression');
    await main.getByRole('link', { name: 'View email', exact: true }).click();
    await main.getByText('Order 1182').first().waitFor();
    await page.goBack();
    await main.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('If it still does not work, the next one bounces').waitFor();
    await tester.audit('suppression-remove');
    await page.getByRole('button', { name: 'Remove address' }).click();
    await page.getByText(`${BOUNCED} gets mail again.`).waitFor();
    expect((await host.request('GET', `/suppressions/${BOUNCED}`)).status).toBe(404);
    await page.getByLabel('Find by the whole address').fill(BOUNCED);
    await page.getByRole('button', { name: 'Find' }).click();
    await main.getByRole('heading', { name: `${BOUNCED} is not suppressed` }).waitFor();
    await tester.audit('suppression-none');
  });

  it('are added by hand, and listed by their reason', async () => {
    const tester = await browser.signedIn(host, '/suppressions');
    const { page } = tester;
    await page.getByRole('button', { name: 'Add address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('Hand@Example.com');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await page.getByRole('heading', { name: 'hand@example.com' }).waitFor();
    await page.getByText('It was added by hand.').first().waitFor();
    await tester.open('/suppressions?origin=complaint');
    await page.getByRole('heading', { name: 'No address is suppressed for this reason' }).waitFor();
    await page.getByLabel('Why').selectOption('manual');
    await page.getByRole('link', { name: /hand@example\.com/ }).waitFor();
    await host.request('DELETE', '/suppressions/hand@example.com');
  });
});
