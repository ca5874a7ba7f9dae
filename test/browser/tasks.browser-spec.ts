import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { type Outage, startOutage, WAITING } from '../support/browser/gallery/outage.js';
import { showHealth } from '../support/browser/gallery/places.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const browser = useBrowser();

/** Counts actions: a click, or a text and Enter. */
class Reader {
  actions = 0;

  async does(action: () => Promise<unknown>): Promise<void> {
    this.actions += 1;
    await action();
  }
}

describe('support', () => {
  const JANE = 'jane.cooper@example.com';
  const ANSWER = '550 5.7.1 Message refused: the sender is on our block list';
  let host: RunningHost;

  beforeAll(async () => {
    const sink = await SmtpSink.start();
    sink.onMessage = ({ raw }) => (/^Subject: Receipt for order 1182/m.test(String(raw)) ? ANSWER : undefined);
    host = await startHost({ smtp: sink });
    // Others about this order, others to this person, and the wanted one.
    for (const to of [JANE, 'jane.smith@example.com', 'omar@example.com', 'cooper@example.com']) {
      for (const order of [1181, 1182, 1183]) await send(to, `Your order ${order} is on its way`);
    }
    for (let order = 1190; order < 1230; order++) await send(JANE, `Your order ${order} is on its way`);
    await send('omar@example.com', 'Receipt for order 1182');
    await send(JANE, 'Receipt for order 1182');
    for (let order = 1230; order < 1270; order++) await send(`customer-${order}@example.com`, `Order ${order}`);
    await until(async () => {
      const { body } = await host.request<{ data: unknown[] }>('GET', '/emails?last_event=bounced');
      return body.data.length === 2;
    });
  });

  async function send(to: string, subject: string): Promise<void> {
    const body = { from: 'Northwind <hello@northwind.example>', to, subject, text: 'Thank you.' };
    expect((await host.request('POST', '/emails', { body })).status).toBe(200);
  }

  it.each([1280, 390])(
    'finds the receipt that Jane got for order 1182, and the server’s answer, in two actions: %i px',
    async (width) => {
      const tester = await browser.signedIn(host, '/emails', { width });
      const { page } = tester;
      const list = page.getByRole('region', { name: 'Emails' });
      await list.getByRole('link').first().waitFor();
      const reader = new Reader();
      await reader.does(async () => {
        await page.getByRole('textbox', { name: 'Search emails' }).fill('jane.cooper receipt 1182');
        await page.keyboard.press('Enter');
      });
      await until(async () => (await list.getByRole('listitem').count()) === 1);
      await reader.does(() =>
        list
          .getByRole('link', { name: /Receipt for order 1182/ })
          .first()
          .click(),
      );
      await page.getByText(ANSWER).first().waitFor();
      await page.getByText(JANE).first().waitFor();
      expect(reader.actions).toBeLessThanOrEqual(2);
    },
  );
});

describe('an operator', () => {
  let outage: Outage;

  beforeAll(async () => {
    outage = await startOutage();
  });

  /** The sentence about the outage, with the minute in which the relay was lost or the next. */
  function sentence(): RegExp {
    const minute = (later: number) =>
      new Date(outage.lost.getTime() + later).toLocaleTimeString('en-GB', {
        ...{ timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' },
      });
    const since = `(${minute(0)}|${minute(60_000)})`;
    return new RegExp(`couldn’t reach ${outage.relay}.* since ${since}\\. ${WAITING} emails are waiting`);
  }

  it.each(['/emails', '/metrics', '/contacts'])(
    'reads since when and how many emails wait at once, on %s',
    async (path) => {
      const tester = await browser.signedIn(outage.host, path);
      await tester.page.getByRole('status').getByText(sentence()).waitFor();
    },
  );

  it('reads the reason too on Health', async () => {
    const tester = await browser.signedIn(outage.host, '/health', { expected: [/403 \(/] });
    await showHealth(tester.page);
    const summary = tester.page.getByRole('main').getByRole('region').filter({ hasText: sentence() }).first();
    await summary.getByText('(connection refused)').waitFor();
    await tester.page.getByText('ECONNREFUSED').first().waitFor();
  });
});
