import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';

const browser = useBrowser();

/** A signed-in user is not an operator: the page asks, and gets a refusal. */
const NO_OPERATOR = /^console: Failed to load resource: .* 403 .*\/operations$/;

describe('every screen', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { ADMIN_TOKEN: 'operators-only-0123456789' } });
  });

  it.each(['Inbox', 'Emails', 'Metrics', 'Templates', 'Topics', 'Contacts', 'Webhooks', 'API keys', 'Health'])(
    'is accessible while it is empty: %s',
    async (title) => {
      const tester = await browser.signedIn(host, '', { expected: [NO_OPERATOR] });
      await tester.goTo(title);
      await tester.page.getByRole('main').getByRole('heading').first().waitFor();
      await tester.page.waitForLoadState('networkidle');
      await tester.audit(`empty-${title.toLowerCase()}`);
    },
  );

  it('shows new messages in the inbox automatically', async () => {
    const tester = await browser.signedIn(host, '/inbox');
    await tester.page.getByRole('main').getByRole('heading').first().waitFor();
    await post(host, 'Zoë <zoe@to.test>', { subject: 'Comes by itself' });
    await tester.page.getByText('Comes by itself').first().waitFor();
  });
});
