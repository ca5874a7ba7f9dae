import { useBrowser } from '../support/browser/browser.js';
import { letter } from '../support/hosts/contract-host.js';
import { FullHost } from '../support/hosts/full-host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const browser = useBrowser();

describe("in a stranger's host, the page", () => {
  it('needs one module, and finds its routes under any prefix', async () => {
    const host = await FullHost.start(await SmtpSink.start());
    expect((await host.request('POST', '/contacts', { body: { email: 'friend@to.test' } })).status).toBe(201);
    expect((await host.request('POST', '/emails', { body: letter() })).status).toBe(200);
    const tester = await browser.signedIn(host, '/contacts');
    await tester.page.getByText('friend@to.test').first().waitFor();
    const links = tester.page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual([
      'Emails',
      'Metrics',
      'Templates',
      'Topics',
      'Contacts',
      'Suppressions',
      'Domains',
      'Webhooks',
      'API keys',
      'Activity log',
    ]);
  });

  it('needs no sign-in for visitors whom the guard of the host admits', async () => {
    const host = await FullHost.start(await SmtpSink.start(), { ONLY: 'contacts' });
    expect((await host.request('POST', '/contacts', { body: { email: 'friend@to.test' } })).status).toBe(201);
    const tester = await browser.visit(host, { mount: '/people/page' });
    await tester.page.setExtraHTTPHeaders({ 'x-user': 'jane' });
    await tester.open('/contacts');
    await tester.page.getByText('friend@to.test').first().waitFor();
    expect(await tester.page.context().cookies()).toEqual([]);
    expect(await tester.page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });

  it('informs visitors whom the guard refuses', async () => {
    const host = await FullHost.start(await SmtpSink.start(), { ONLY: 'contacts' });
    const tester = await browser.visit(host, { mount: '/people/page' });
    await tester.open('/contacts');
    await tester.page.getByText('You are not signed in at this host').waitFor();
    await tester.audit('sign-in-at-host');
  });
});
