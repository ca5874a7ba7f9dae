import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import { overflows } from '../support/browser/measures.js';
import type { PageTester } from '../support/browser/page-tester.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { sample } from '../support/jest/sample.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';

const browser = useBrowser();

const OVERRIDE = '\u202e';
const LONGEST = 998;
const EVENTS = 10_000;
const HUGE = 5_000_000;

/** Subjects that are allowed and harm a page that does not expect them. */
const SUBJECTS = {
  'of 998 characters without a space': `Start${'w'.repeat(LONGEST - 5)}`,
  'of 998 characters with spaces': 'Start of many words '.repeat(50).slice(0, LONGEST).trim(),
  'with right-to-left overrides': `Start ${OVERRIDE}gpj.exe ${OVERRIDE}${'\u2066'.repeat(5)}`,
  'of combining characters': `Start ${'e\u0301\u0489'.repeat(300)}`,
  'like html': 'Start </bdi></a><script>document.title = "taken"</script>',
};

/** Texts with characters that turn the text around them. The direction of these is contained, or they are named. */
function turning({ page }: PageTester): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement ?? document.body;
      const isContained = parent.closest('bdi, pre') || /isolate|plaintext/.test(getComputedStyle(parent).unicodeBidi);
      if (/[\u202a-\u202e\u2066-\u2069]/.test(node.nodeValue ?? '') && !isContained) found.push(node.nodeValue ?? '');
    }
    return found;
  });
}

let host: RunningHost;

beforeAll(async () => {
  host = await startHost();
});

async function send(email: object): Promise<string> {
  const body = { from: 'shop@example.com', to: 'ann@example.com', text: 'x', ...email };
  const answer = await host.request<{ id: string }>('POST', '/emails', { body });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

const untilDelivered = (id: string) =>
  until(async () => (await host.request('GET', `/emails/${id}`)).body.last_event === 'delivered');

describe('a subject', () => {
  it.each(sample(2, Object.entries(SUBJECTS)))('%s fits and turns no other text', async (name, subject) => {
    const to = `${Object.values(SUBJECTS).indexOf(subject)}@subjects.test`;
    const id = await send({ to, subject });
    await untilDelivered(id);
    for (const path of ['/emails', `/emails/${id}`, '/inbox', `/people/${encodeURIComponent(to)}`]) {
      const tester = await browser.signedIn(host, path, { expected: [/404 \(/] });
      const { page } = tester;
      await page.getByRole('main').getByText(/Start/).first().waitFor();
      expect({ path, turning: await turning(tester), overflows: await overflows(page) }).toEqual({
        ...{ path, turning: [], overflows: [] },
      });
      expect(await page.title()).not.toContain(OVERRIDE);
      expect(await page.title()).not.toBe('taken');
      const [screen] = path.split('/').filter(Boolean);
      await tester.audit(`subject-${screen}-${path.includes(id) ? 'open-' : ''}${name.replaceAll(' ', '-')}`);
    }
  });
});

describe('an address of the page', () => {
  it.each([
    ['/emails?action=..', 'The progress of the action could not be read'],
    ['/emails/%00', 'There is no such email'],
    ['/emails/x%2F..%2F..%2F..%2Fsession', 'There is no such email'],
    ['/suppressions/export', 'This address is not on the list'],
    ['/suppressions/x%2F..%2F..%2Fsession@', 'This address is not on the list'],
    ['/suppressions?find=export', 'export is not suppressed'],
    ['/suppressions?find=%00@%2F..', 'is not suppressed'],
  ])('%s is no address of other data, and says so', async (path, sentence) => {
    const tester = await browser.signedIn(host, path, { expected: [/ 4\d\d \(/] });
    await tester.page.getByRole('main').getByText(sentence).first().waitFor();
    expect(await tester.page.getByText('Something in this page went wrong').count()).toBe(0);
  });

  it('of a person that is no address asks for little, and says so', async () => {
    const tester = await browser.signedIn(host, '/people/nobody', { expected: [/ 4\d\d \(/] });
    await tester.page.getByRole('alert').getByText('could not be read').first().waitFor();
    await tester.page.waitForLoadState('networkidle');
    const asked = tester.requested.filter((url) => url.includes('to=nobody'));
    expect(asked.length).toBeLessThan(10);
  });

  it('with a year of the first thousand has dates that can be changed', async () => {
    const { page } = await browser.signedIn(host, '/emails?q=before:0999-01-01');
    await page.getByLabel('Date').selectOption({ label: 'Change the range…' });
    expect(await page.getByRole('dialog').getByLabel('To').inputValue()).toBe('0998-12-31');
  });
});

describe('the storage of a browser', () => {
  it('that is full keeps no choice, and lets it be made', async () => {
    const tester = await browser.visit(host);
    const { page } = tester;
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await untilDelivered(await send({ subject: 'Read without storage' }));
    await tester.open('/inbox');
    await tester.signIn();
    await page.getByRole('link', { name: /Read without storage/ }).click();
    await page.getByRole('article').getByText('Read without storage').waitFor();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  });

  it('that is forbidden ends a sign-in with a reload, and nothing else', async () => {
    const tester = await browser.visit(host);
    await tester.page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('denied', 'SecurityError');
          },
        });
      }
    });
    await tester.open('/emails');
    await tester.signIn();
    await tester.page.getByRole('heading', { name: 'Emails', level: 1 }).waitFor();
    await tester.page.reload();
    await tester.page.getByLabel('API key').waitFor();
  });
});

describe('an email', () => {
  it('with 10,000 events shows the newest, and can be used', async () => {
    const id = await send({ subject: 'Tried often' });
    await untilDelivered(id);
    await host.query(
      `INSERT INTO nestjs_emails.events (email_id, type, recipient, reason, attempt)
       SELECT $1, 'delivery_delayed', 'ann@example.com', '451 try later, for the ' || n || 'th time', n
       FROM generate_series(1, $2::int) AS n`,
      [id, EVENTS],
    );
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    await page.getByText(`451 try later, for the ${EVENTS}th time`).waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel').getByText('x', { exact: true }).waitFor();
    expect(await overflows(page)).toEqual([]);
  });

  it('of 5 MB is shown to its end, and costs the list nothing', async () => {
    const html = `<p>the beginning</p>${'<p>more and more</p>'.repeat(HUGE / 20)}<p>the end of it</p>`;
    const id = await send({ subject: 'A large one', html });
    await untilDelivered(id);
    const tester = await browser.signedIn(host, '/emails');
    const { page } = tester;
    const sizes: number[] = [];
    page.on('response', async (response) => {
      if (/\/api\/emails(\?|$)/.test(response.url())) sizes.push((await response.body()).length);
    });
    await page.reload();
    await page.getByRole('link', { name: /A large one/ }).waitFor();
    await until(() => sizes.length > 0);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    await page.getByRole('link', { name: /A large one/ }).click();
    await page.frameLocator('iframe').getByText('the beginning').waitFor();
    await page.frameLocator('iframe').getByText('the end of it').waitFor({ state: 'attached' });
  });
});

describe('a server', () => {
  let proxy: TcpProxy;
  let behind: { url: string; token: string };

  beforeAll(async () => {
    const { port } = new URL(host.url);
    proxy = await TcpProxy.start('127.0.0.1', Number(port));
    behind = { url: `http://127.0.0.1:${proxy.port}`, token: host.token };
  });

  afterEach(() => proxy.lift());

  it.each(['/emails', '/metrics', '/contacts'])(
    'that is slow shows the shape of %s, then its content',
    async (path) => {
      const tester = await browser.signedIn(behind, path);
      const { page } = tester;
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      proxy.impose({ kind: 'delay', by: 1_500 });
      await page.reload();
      await page.getByRole('main').getByText('Loading').first().waitFor({ state: 'attached' });
      proxy.lift();
      await page.getByRole('main').getByText('Loading').first().waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).toBe(0);
    },
  );

  it('that restarts is noticed, and followed by what came meanwhile', async () => {
    const tester = await browser.signedIn(host, '/emails', { expected: [/ERR_(CONNECTION|EMPTY)/, / 503 \(/] });
    const { page } = tester;
    await page.getByRole('heading', { name: 'Emails', level: 1 }).waitFor();
    await host.restart();
    await send({ subject: 'After the restart' });
    await page.getByRole('link', { name: /After the restart/ }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('a session', () => {
  it('that ends while a question is open returns with it and the selected emails', async () => {
    await send({ subject: 'For much later', scheduled_at: 'in 2 hours' });
    const tester = await browser.signedIn(host, '/emails', { expected: [/ 401 \(/] });
    const { page } = tester;
    await page.getByRole('link', { name: /For much later/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page
      .locator('.selection-bar')
      .getByRole('button', { name: /^Resend/ })
      .click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Resend 1 email' });
    await confirm.waitFor();
    await page.context().clearCookies();
    await confirm.click();
    await page.getByText('You were signed out').waitFor();
    await tester.signIn();
    await confirm.waitFor();
    expect(await confirm.isEnabled()).toBe(true);
  });
});

describe('two tabs', () => {
  it('agree on an email that one of them cancels', async () => {
    const id = await send({ subject: 'For later', scheduled_at: 'in 2 hours' });
    const tester = await browser.signedIn(host, `/emails/${id}`);
    const { page } = tester;
    const cancel = (tab: typeof page) => tab.getByRole('button', { name: 'Cancel', exact: true });
    await cancel(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await cancel(other).waitFor();
    await cancel(other).click();
    await other
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel (the )?email$/ })
      .click();
    await other
      .getByRole('article')
      .getByText(/^canceled$/i)
      .first()
      .waitFor();
    await page.bringToFront();
    await page
      .getByRole('article')
      .getByText(/^canceled$/i)
      .first()
      .waitFor();
    await cancel(page).waitFor({ state: 'detached' });
  });
});
