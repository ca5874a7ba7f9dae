import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { FileServer } from '../support/servers/file-server.js';

const browser = useBrowser();

/** Message of the browser about a refusal. */
const REFUSED = /^console: Failed to load resource: .* 422/;

let host: RunningHost;
let receiver: FileServer;
/** Answers of the receiver. */
let answer: number;

beforeAll(async () => {
  receiver = await FileServer.start();
  receiver.routes['/hooks'] = (request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(answer).end(`noted, and answered ${answer}`));
  };
  host = await startHost({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' } });
});

beforeEach(() => {
  answer = 200;
});

const button = ({ page }: PageTester, name: string) => page.getByRole('button', { name, exact: true });

async function make(events: string[]): Promise<string> {
  const body = { endpoint: `${receiver.url}/hooks`, events };
  return (await host.request<{ id: string }>('POST', '/webhooks', { body })).body.id;
}

async function send(): Promise<void> {
  const body = { from: 'a@from.test', to: 'b@to.test', subject: 'Hello', text: 'x' };
  expect((await host.request('POST', '/emails', { body })).status).toBe(200);
}

const events = async (id: string) =>
  (await host.request<{ data: { status: string }[] }>('GET', `/webhooks/${id}/events`)).body.data;

describe('webhooks', () => {
  it('are created with selected events, and refused with the message of the API', async () => {
    const tester = await browser.signedIn(host, '/webhooks', { expected: [REFUSED] });
    const { page } = tester;
    await page.getByText('No webhooks yet').waitFor();
    await tester.audit('webhooks-empty');
    await button(tester, 'New webhook').click();
    await page.getByLabel('Endpoint').fill('http://10.1.2.3/hooks');
    await page.getByLabel('All events of emails').check();
    await page.getByLabel('email.opened', { exact: true }).uncheck();
    await button(tester, 'Create webhook').click();
    await page.getByText('must lead to a public address').waitFor();
    await tester.audit('webhook-new');
    await page.getByLabel('Endpoint').fill(`${receiver.url}/hooks`);
    await button(tester, 'Create webhook').click();
    await page.getByText('No events yet').waitFor();
    const { body } = await host.request<{ data: { id: string; events: string[] }[] }>('GET', '/webhooks');
    expect(body.data).toHaveLength(1);
    expect(body.data[0]?.events).toHaveLength(10);
    const secret = page.getByText(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await button(tester, 'Show').click();
    const before = await secret.textContent();
    await button(tester, 'Rotate the secret').click();
    await page.getByText('For 24 hours requests are signed with both secrets').waitFor();
    await button(tester, 'Rotate secret').click();
    await secret.filter({ hasNotText: before ?? '' }).waitFor();
    await host.request('DELETE', `/webhooks/${body.data[0]?.id}`);
  });

  it('show payload and answer, and replay an event', async () => {
    answer = 503;
    const id = await make(['email.sent']);
    const tester = await browser.signedIn(host, `/webhooks/${id}`);
    const { page } = tester;
    await page.getByText('No events yet').waitFor();
    await send();
    await page.getByRole('link', { name: 'email.sent' }).click();
    await page
      .getByText(/answered 503$/)
      .first()
      .waitFor();
    await page.getByText('"subject": "Hello"').waitFor();
    answer = 200;
    await button(tester, 'Replay').click();
    await page.getByText('noted, and answered 200').waitFor();
    await page.getByRole('article').getByText('success').waitFor();
    await tester.audit('webhook-event');
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'detached' });
    expect(tester.path).toBe(`/webhooks/${id}`);
    await tester.audit('webhook');
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('get a test event by two clicks, with its answer', async () => {
    const id = await make(['email.bounced']);
    const tester = await browser.signedIn(host, `/webhooks/${id}`);
    const { page } = tester;
    await button(tester, 'Send test event').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Event').inputValue()).toBe('email.bounced');
    await tester.audit('webhook-test');
    await dialog.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('article').getByText('noted, and answered 200').waitFor();
    await page.getByRole('article').getByText('delivered@example.com').first().waitFor();
    expect(await page.getByRole('article').getByRole('link', { name: 'View email' }).count()).toBe(0);
    await page.goto(`${host.url}/dashboard/webhooks`);
    await page.getByText('100 %').waitFor();
    await tester.audit('webhooks-rate');
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('show the recipient of an event, and lead to its email', async () => {
    const id = await make(['email.sent']);
    const tester = await browser.signedIn(host, `/webhooks/${id}`);
    const { page } = tester;
    await page.getByText('No events yet').waitFor();
    await send();
    await page.getByRole('link', { name: /email\.sent.*b@to\.test.*1 attempt/ }).click();
    await page.getByRole('article').getByRole('link', { name: 'View email' }).click();
    await page.getByRole('heading', { name: 'Hello', level: 2 }).waitFor();
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('get all failed events again in three actions', async () => {
    answer = 500;
    const id = await make(['email.sent']);
    await send();
    await send();
    await until(async () => (await events(id)).filter(({ status }) => status === 'attempting').length === 2);
    const ended = 'UPDATE nestjs_emails.webhook_events SET status = $2, due_at = NULL WHERE webhook_id = $1';
    await host.query(ended, [id, 'failed']);
    answer = 200;
    const tester = await browser.signedIn(host, `/webhooks/${id}`);
    const { page } = tester;
    await button(tester, 'Replay failed…').click();
    await page.getByRole('dialog').getByLabel('Failed events since').waitFor();
    await tester.audit('webhook-replay');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('2 events are sent once more.').waitFor();
    await button(tester, 'Done').click();
    await until(async () => (await events(id)).every(({ status }) => status === 'success'));
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('have a snippet that verifies a signature in four languages', async () => {
    const id = await make(['email.sent']);
    const tester = await browser.signedIn(host, `/webhooks/${id}`);
    const { page } = tester;
    await page.getByText('Verify the signature of a request').click();
    for (const [language, text] of Object.entries({
      Node: 'timingSafeEqual',
      Python: 'compare_digest',
      Go: 'hmac.Equal',
      Ruby: 'secure_compare',
    })) {
      await page.getByRole('tab', { name: language }).click();
      await page.getByRole('tabpanel').getByText(text).first().waitFor();
    }
    await tester.audit('webhook-verify');
    await host.request('DELETE', `/webhooks/${id}`);
  });

  it('are disabled, enabled, changed and deleted', async () => {
    const id = await make(['email.sent', 'email.bounced']);
    const tester = await browser.signedIn(host, '/webhooks');
    const { page } = tester;
    const state = async () => (await host.request('GET', `/webhooks/${id}`)).body;
    await page.getByText('2 of emails').waitFor();
    await page.getByText('not tried yet').waitFor();
    await tester.audit('webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await button(tester, 'Disable').click();
    await page.getByText('Pending events are dropped').waitFor();
    await button(tester, 'Disable webhook').click();
    await button(tester, 'Enable').click();
    expect(await state()).toMatchObject({ status: 'disabled' });
    await button(tester, 'Enable webhook').click();
    await button(tester, 'Disable').waitFor();
    expect(await state()).toMatchObject({ status: 'enabled' });
    await button(tester, 'Edit').click();
    await page.getByLabel('email.bounced', { exact: true }).uncheck();
    await button(tester, 'Save webhook').click();
    await page.getByText('1 event', { exact: true }).waitFor();
    expect(await state()).toMatchObject({ events: ['email.sent'] });
    await button(tester, 'Delete').click();
    await button(tester, 'Delete webhook').click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
