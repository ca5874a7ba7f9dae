import { useBrowser } from '../support/browser/browser.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post } from '../support/reading/deliveries.js';

const browser = useBrowser();

/** Whoever is signed in is no operator yet: the page asks, and is told so. */
const NO_OPERATOR = /^console: Failed to load resource: .* 403 .*\/operations$/;

describe('every screen', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ env: { ADMIN_TOKEN: 'operators-only-0123456789' } });
  });

  it.each(['Inbox', 'Emails', 'Metrics', 'Templates', 'Topics', 'Contacts', 'Webhooks', 'Keys', 'Health'])(
    'can be read and used by everybody while there is nothing on it: %s',
    async (title) => {
      const tester = await browser.signedIn(host, '', { expected: [NO_OPERATOR] });
      await tester.goTo(title);
      await tester.page.getByRole('main').getByRole('heading').first().waitFor();
      await tester.page.waitForLoadState('networkidle');
      await tester.audit(`empty-${title.toLowerCase()}`);
    },
  );

  it('shows what arrives in the inbox by itself', async () => {
    const tester = await browser.signedIn(host, '/inbox');
    await tester.page.getByRole('main').getByRole('heading').first().waitFor();
    await post(host, 'Zoë <zoe@to.test>', { subject: 'Comes by itself' });
    await tester.page.getByText('Comes by itself').first().waitFor();
  });
});
