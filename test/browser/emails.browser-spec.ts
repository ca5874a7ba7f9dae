import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

describe('emails', () => {
  const browser = useBrowser();
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { RETRY_SCHEDULE: '1h,1h,1h' } });
  });

  const send = async (email: object): Promise<string> => {
    const body = { from: 'Shop <shop@example.com>', subject: 'Hello', text: 'hello', ...email };
    const answer = await host.request<{ id: string }>('POST', '/emails', { body });
    expect(answer.status).toBe(200);
    return answer.body.id;
  };

  it('explains an empty list, and shows new emails automatically during delivery', async () => {
    const tester = await browser.signedIn(host, '/emails');
    const { page } = tester;
    await page.getByRole('heading', { name: 'No emails yet' }).waitFor();
    await page.getByText(`curl '${host.url}/emails'`).waitFor();
    await tester.audit('emails-empty');
    await send({ to: 'ann@example.com', subject: 'It comes by itself' });
    await page.getByRole('link', { name: /It comes by itself.*ann@example\.com/ }).waitFor();
    await page.getByRole('link', { name: /ann@example\.com.*delivered$/ }).waitFor();
    await tester.audit('emails');
  });

  it('shows the reply of the server for each bounced and delayed recipient', async () => {
    const id = await send({ to: ['ann@example.com', 'bounced-bob@example.com', 'delayed-cy@example.com'] });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    const timeline = page.getByRole('region', { name: 'Events' });
    await timeline.getByText('550 There is no such mailbox, as its name asks for').waitFor();
    await timeline.getByText('451 Try again later, as the mailbox name asks for').waitFor();
    await timeline.getByRole('heading', { name: /ann@example\.com.*delivered/ }).waitFor();
    await timeline.getByText('Next attempt').waitFor();
    await tester.audit('email-bounced');

    await page.getByRole('link', { name: 'Emails', exact: true }).first().click();
    await page.getByRole('link', { name: /ann@example\.com \+2.*bounced$/ }).waitFor();
    const search = page.getByRole('textbox', { name: 'Search emails' });
    await search.fill('state:bounced to:bounced-bob@example.com');
    await page.keyboard.press('Enter');
    await until(() => tester.path.includes('q=state%3Abounced'));
    await page.getByRole('link', { name: /ann@example\.com \+2.*bounced$/ }).waitFor();
    expect(await page.getByRole('region', { name: 'Emails' }).getByRole('listitem').count()).toBe(1);
    await search.fill('colour:red');
    await page.getByRole('status').getByText('There is no filter “colour:”').waitFor();
    expect(await page.getByRole('region', { name: 'Emails' }).count()).toBe(0);
  });

  it('reschedules and cancels, by keyboard alone', async () => {
    const id = await send({ to: 'late@example.com', subject: 'Later', scheduled_at: 'in 2 hours' });
    const tester = await browser.signedIn(host, '/emails');
    const { page } = tester;
    await page.getByRole('link', { name: /late@example\.com.*scheduled$/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await until(() => tester.path === `/emails/${id}`);
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Reschedule');
    await page.getByRole('textbox', { name: 'When' }).fill('in 3 hours');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(async () => {
      const { body } = await host.request<{ scheduled_at: string }>('GET', `/emails/${id}`);
      return Date.parse(body.scheduled_at.replace('+00', 'Z')) > Date.now() + 2.5 * 3_600_000;
    });
    await press('Cancel');
    await tester.audit('email-cancel');
    await press('Cancel the email');
    await page.getByRole('region', { name: 'Events' }).getByText('canceled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    // The button that had the focus is gone.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Later');
    const { body } = await host.request<{ last_event: string }>('GET', `/emails/${id}`);
    expect(body.last_event).toBe('canceled');
    await page.keyboard.press('Escape');
    await until(() => tester.path === '/emails');
  });

  it('sends a test once for repeated clicks', async () => {
    const tester = await browser.signedIn(host, '/emails');
    const { page } = tester;
    const before = await page.getByRole('button', { name: 'Send a test' }).elementHandle();
    await before?.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await before?.evaluate((button) => button === document.activeElement)).toBe(true);
    await before?.press('Enter');
    await page.getByLabel('To', { exact: true }).fill('once@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
    const sent = await host.request<{ data: unknown[] }>('GET', '/emails?to=once@example.com');
    expect(sent.body.data).toHaveLength(1);
  });

  it('retries a delayed one, and resends a bounced one to selected recipients', async () => {
    const id = await send({ to: 'delayed-dora@example.com' });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await page
        .getByText(new RegExp(`attempt ${attempt} `))
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Retry now' }).click();
    }
    await page.getByRole('region', { name: 'Events' }).getByText('delivered').waitFor();

    const bounced = await send({ to: ['ann@example.com', 'bounced-eve@example.com'] });
    await tester.open(`/emails/${bounced}`);
    await page
      .getByRole('region', { name: 'Events' })
      .getByText(/^bounced$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Resend' }).click();
    expect(await page.getByRole('checkbox', { name: /bounced-eve/ }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: /ann@/ }).isChecked()).toBe(false);
    await tester.audit('email-send-again');
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Resent from').waitFor();
    expect(tester.path).not.toContain(bounced);
  });

  it('shows that an email was sent without content', async () => {
    const id = await send({ to: 'ann@example.com', text: undefined });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    await tester.page.getByText('No content').waitFor();
    await tester.page.getByText('The email was sent without html and text.').waitFor();
    await tester.audit('email-without-content');
  });

  it('shows text, headers, source and attachments, and holds new ones back while the reader is elsewhere', async () => {
    const id = await send({
      to: 'ann@example.com',
      html: '<p>It <b>works</b></p>',
      text: 'It works',
      headers: { 'X-Order': '17' },
      attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }],
    });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    await page.frameLocator('iframe').getByText('works').waitFor();
    await tester.audit('email');
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel').getByText('It works').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('X-Order').waitFor();
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('tabpanel')
      .getByText(/From: Shop <shop@example\.com>/)
      .waitFor();
    expect(tester.path).toContain('tab=source');
    await tester.audit('email-source');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await saved).suggestedFilename()).toBe(`Hello-${id.slice(0, 8)}.eml`);
    await page.getByRole('tab', { name: 'Attachments' }).click();
    await page.getByRole('link', { name: 'a.txt' }).waitFor();

    const late = await send({ to: 'far-down@example.com', scheduled_at: 'in 2 hours' });
    for (let i = 0; i < 60; i += 1) await send({ to: `many-${i}@example.com` });
    await tester.open('/emails');
    const list = page.getByRole('region', { name: 'Emails' });
    await list.getByRole('link', { name: /to many-59/ }).waitFor();
    await list.evaluate((element) => element.scrollTo(0, 1_000));
    await list.getByRole('link', { name: /to many-40/ }).waitFor();
    // The end is further down once the next page is there.
    await until(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return list.getByRole('link', { name: /far-down.*scheduled$/ }).isVisible();
    });
    await host.request('POST', `/emails/${late}/cancel`);
    await list.getByRole('link', { name: /far-down.*canceled$/ }).waitFor();
    await send({ to: 'newest@example.com' });
    await page.getByRole('button', { name: '1 new email' }).click();
    await list.getByRole('link', { name: /to newest@example\.com/ }).waitFor();
  });
});
