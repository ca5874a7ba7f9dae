import { until } from '../support/basics/wait-for.js';
import { audit } from '../support/browser/audit.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

describe('the page of choices', () => {
  const browser = useBrowser();
  let host: RunningHost;
  let link: string;

  beforeAll(async () => {
    const sink = await SmtpSink.start();
    host = await startHost({ smtp: sink });
    const add = async (body: object) =>
      (await host.request<{ id: string }>('POST', '/topics', { body: { default_subscription: 'opt_in', ...body } }))
        .body;
    const { id } = await add({ name: 'News of the shop' });
    await add({ name: 'Offers', description: 'Each week, and now and then another one.', visibility: 'public' });
    await post(host, 'jane@reader.test', { topic_id: id });
    const message = await until(() => sink.messages[0]);
    link = /<(http:[^>]*\/unsubscribe\/[^>]+)>/.exec(message.raw.toString())?.[1] ?? '';
  });

  it('is used with the keyboard alone, and has no findings of axe in either theme and a narrow window', async () => {
    const { page } = await browser.visit(host, { expected: [/status of 404 .*\/unsubscribe\//] });
    await page.goto(link);
    expect(await page.title()).toBe('Email preferences');
    expect(await audit(page, 'unsubscribe')).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('You are unsubscribed from “News of the shop”.').waitFor();
    expect(await page.title()).toBe('You are unsubscribed from “News of the shop”.');
    expect(await audit(page, 'unsubscribe-done')).toEqual([]);
    await page.getByRole('button', { name: 'Subscribe News of the shop' }).click();
    await page.getByRole('status').getByText('You are subscribed to “News of the shop”.').waitFor();
    await page.getByRole('button', { name: 'Unsubscribe Offers' }).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe from everything' }).click();
    await page.getByRole('status').getByText('You are unsubscribed from everything.').waitFor();
    expect(await audit(page, 'unsubscribe-all')).toEqual([]);
    await page.goto(`${link}x`);
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    expect(await audit(page, 'unsubscribe-invalid')).toEqual([]);
  });
});
