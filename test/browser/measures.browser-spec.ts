import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { BOUNDS, firstShown, recordFirst, recordShifts, scriptBytes, shiftsOf } from '../support/browser/measures.js';
import type { PageTester, Visited } from '../support/browser/page-tester.js';
import { Wire } from '../support/browser/wire.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const OPERATORS_TOKEN = 'of-the-operators-of-the-tests';
const MANY = 200;
/** Loads of each list, of which the quickest counts: others measure what else the machine does. More on a busy machine. */
const LOADS = { least: 5, most: 25 };
const ROW = 'section[aria-label="Emails"] a';
const EMPTY = 'main .empty';

describe('the page', () => {
  const browser = useBrowser();
  let host: RunningHost;
  /** An account with 200 emails, and one without. */
  let full: Visited;
  let empty: Visited;

  beforeAll(async () => {
    host = await startHost({ env: { ADMIN_TOKEN: OPERATORS_TOKEN } });
    [full, empty] = [host, { url: host.url, token: (await host.account('empty')).token }];
    for (let sent = 0; sent < MANY; sent += 100) await host.request('POST', '/emails/batch', { body: emails(sent) });
    await until(async () => {
      const { body } = await host.request<{ count: number }>('GET', '/emails/count?last_event=delivered');
      return body.count === MANY;
    });
  });

  const emails = (from: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      from: 'Shop <shop@example.com>',
      to: `customer-${from + index}@example.com`,
      subject: `Order ${from + index}`,
      html: `<p>${'Thank you. '.repeat(500)}</p>`,
    }));

  it('takes at most 10 kB a minute on the wire while Emails is idle', async () => {
    const { tester, wire } = await idle('/emails');
    await rows(tester).first().waitFor();
    const { bytes, requests } = await wire.minuteOf(tester.page);
    expect(requests).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(BOUNDS.idleMinute);
  });

  it('takes at most 10 kB a minute on the wire while Health is idle', async () => {
    const { tester, wire } = await idle('/health');
    await showHealth(tester);
    const { bytes, requests } = await wire.minuteOf(tester.page);
    expect(requests).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(BOUNDS.idleMinute);
  });

  it('loads at most 150 kB of compressed script for its first screen', async () => {
    const tester = await browser.signedIn(full, '/emails');
    await rows(tester).first().waitFor();
    const bytes = await scriptBytes(tester.page);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(BOUNDS.firstScript);
  });

  it('shows the first of 200 emails in at most twice the time of an empty list', async () => {
    const [withRows, without] = [await browser.signedIn(full, '/emails'), await browser.signedIn(empty, '/emails')];
    await recordFirst(withRows.page, ROW);
    await recordFirst(without.page, EMPTY);
    const times = { rows: [] as number[], empty: [] as number[] };
    const ratio = () => Math.min(...times.rows) / Math.min(...times.empty);
    for (let load = 0; load < LOADS.least || (load < LOADS.most && ratio() > BOUNDS.firstRows); load++) {
      times.rows.push(await loadTime(withRows));
      times.empty.push(await loadTime(without));
    }
    expect(ratio()).toBeLessThanOrEqual(BOUNDS.firstRows);
  });

  it('moves nothing when new emails come', async () => {
    const tester = await browser.signedIn(full, '/emails');
    const { page } = tester;
    await rows(tester).first().waitFor();
    await recordShifts(page);
    // A minute that ends meanwhile makes the texts of times longer.
    await page.clock.setFixedTime(Date.now());
    await page.reload();
    await rows(tester).first().waitFor();
    const body = { from: 'a@from.test', to: 'b@to.test', subject: 'Newest of all', text: 'x' };
    await host.request('POST', '/emails', { body });
    await page.getByRole('link', { name: /Newest of all/ }).waitFor();
    expect(await shiftsOf(page)).toEqual([]);
  });

  const rows = ({ page }: PageTester) => page.getByRole('region', { name: 'Emails' }).getByRole('link');

  async function loadTime({ page }: PageTester): Promise<number> {
    await page.reload();
    return firstShown(page);
  }

  /** The page behind a wire, with a clock that the test moves. */
  async function idle(path: string): Promise<{ tester: PageTester; wire: Wire }> {
    const wire = await Wire.inFrontOf(host);
    const tester = await browser.visit(wire, { expected: [/403 \(/] });
    await tester.page.clock.install();
    await tester.open(path);
    await tester.signIn();
    return { tester, wire };
  }

  async function showHealth({ page }: PageTester): Promise<void> {
    await page.getByLabel('Operator token').fill(OPERATORS_TOKEN);
    await page.getByRole('button', { name: 'Show health' }).click();
    await page.getByText('Emails are accepted and sent.').waitFor();
  }
});
