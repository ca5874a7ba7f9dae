import { until } from '../support/basics/wait-for.js';
import { useBrowser } from '../support/browser/browser.js';
import type { PageTester } from '../support/browser/page-tester.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';

const browser = useBrowser();

interface Template {
  id: string;
  status: string;
  subject: string;
  html: string;
  variables: { key: string; type: string; fallback_value: string | number | null }[];
}

let host: RunningHost;

beforeAll(async () => {
  ({ host } = await shareHost());
});

async function make(fields: object = {}): Promise<Template> {
  return (await host.request<Template>('POST', '/templates', { body: { name: 'Welcome', ...fields } })).body;
}

const stored = async (id: string) => (await host.request<Template>('GET', `/templates/${id}`)).body;
const button = ({ page }: PageTester, name: string) => page.getByRole('button', { name, exact: true });
const source = ({ page }: PageTester) => page.getByLabel('HTML source');

/** Text of the preview, after it has loaded. */
const look = ({ page }: PageTester) => page.locator('iframe[title="Preview"]:not(.coming)').contentFrame();

describe('templates', () => {
  it('are created, edited next to a preview, saved, published and tested', async () => {
    const tester = await browser.signedIn(host, '/templates');
    const { page } = tester;
    await page.getByText('No templates yet').waitFor();
    await tester.audit('templates-empty');
    await button(tester, 'New template').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Welcome');
    await button(tester, 'Create template').click();
    await page.getByLabel('Subject').fill('Hello {{NAME}}');
    await source(tester).fill('<h1>Hello {{NAME}}</h1>\n<p>{{{SIGN}}}</p>');
    await page.getByLabel('Sample of NAME').fill('<Jane>');
    await page.getByLabel('Sample of SIGN').fill('<em>We</em>');
    await look(tester).getByRole('heading', { name: 'Hello <Jane>' }).waitFor();
    await look(tester).locator('em', { hasText: 'We' }).waitFor();
    const history = await page.evaluate(() => globalThis.history.length);
    await page.getByLabel('Sample of NAME').fill('Joe');
    await look(tester).getByRole('heading', { name: 'Hello Joe' }).waitFor();
    expect(await page.evaluate(() => globalThis.history.length)).toBe(history);
    await tester.audit('template');

    await page.getByLabel('NAME has a fallback').check();
    await page.getByLabel('Fallback of NAME').fill('you');
    await button(tester, 'Save draft').click();
    await page.getByText(/^Saved just now/).waitFor();
    const id = tester.path.split(/[/?]/)[2] ?? '';
    expect(await stored(id)).toMatchObject({
      status: 'draft',
      subject: 'Hello {{NAME}}',
      variables: [
        { key: 'NAME', type: 'string', fallback_value: 'you' },
        { key: 'SIGN', type: 'string', fallback_value: null },
      ],
    });

    await button(tester, 'Publish').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/^Saved .*, published/).waitFor();
    expect((await stored(id)).status).toBe('published');

    await button(tester, 'Send a test').click();
    await page.getByLabel('From').fill('You <you@example.com>');
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('jane@example.com');
    await button(tester, 'Send test').click();
    await page.getByText('Accepted.').waitFor();
    const { data } = (await host.request<{ data: { subject: string; html: string }[] }>('GET', '/emails')).body;
    expect(data[0]).toMatchObject({ subject: 'Hello Joe', html: '<h1>Hello Joe</h1>\n<p><em>We</em></p>' });
  });

  it('show problems at their lines, and are not saved with them', async () => {
    const { id } = await make({ html: '<p>{{NAME}}</p>' });
    const tester = await browser.signedIn(host, `/templates/${id}`);
    await source(tester).fill('<p>{{NAME}}</p>\n<p>{{first-name}}</p>\n{{OPEN');
    await tester.page.getByText('“first-name” is not a variable name').waitFor();
    await tester.page.getByText('{{OPEN is not closed').waitFor();
    expect(await button(tester, 'Save draft').isDisabled()).toBe(true);
    await tester.audit('template-wrong');
    await tester.page.getByRole('button', { name: 'Line 2' }).click();
    const chosen = await source(tester).evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    );
    expect(chosen).toBe('<p>{{first-name}}</p>');
  });

  it('are kept in the browser until they are saved or discarded', async () => {
    const { id } = await make({ html: '<p>before</p>' });
    const tester = await browser.signedIn(host, `/templates/${id}`);
    await source(tester).fill('<p>after</p>');
    await tester.goTo('API keys');
    await tester.goTo('Templates');
    await tester.page.getByText('not saved here').waitFor();
    await tester.open(`/templates/${id}`);
    await tester.page.getByText('Not saved. Kept in this browser').waitFor();
    expect(await source(tester).inputValue()).toBe('<p>after</p>');
    await button(tester, 'Discard').click();
    await button(tester, 'Discard changes').click();
    await until(async () => (await source(tester).inputValue()) === '<p>before</p>');
    await tester.page.reload();
    await until(async () => (await source(tester).inputValue()) === '<p>before</p>');
    expect((await stored(id)).html).toBe('<p>before</p>');
  });

  it('do not overwrite a version that another user saved meanwhile', async () => {
    const { id } = await make({ subject: 'first' });
    const tester = await browser.signedIn(host, `/templates/${id}`);
    await tester.page.getByLabel('Subject').fill('mine');
    await host.request('PATCH', `/templates/${id}`, { body: { subject: 'theirs' } });
    await button(tester, 'Save draft').click();
    await tester.page.getByText('Another user saved this template').waitFor();
    expect((await stored(id)).subject).toBe('theirs');
    await tester.audit('template-overtaken');
    await button(tester, 'Save draft').click();
    await button(tester, 'Save mine').click();
    await tester.page.getByText(/^Saved just now/).waitFor();
    expect((await stored(id)).subject).toBe('mine');
  });

  it('are copied and deleted', async () => {
    const { id } = await make({ name: 'To be copied' });
    const tester = await browser.signedIn(host, `/templates/${id}`);
    await button(tester, 'Duplicate').click();
    await until(() => !tester.path.includes(id));
    await button(tester, 'Delete').click();
    await tester.page.getByText('It cannot be restored').waitFor();
    await button(tester, 'Delete template').click();
    await until(() => tester.path === '/templates');
    const list = tester.page.getByRole('region', { name: 'Templates' });
    await list.getByText('To be copied').waitFor();
    expect(await list.getByText('To be copied').count()).toBe(1);
    await tester.audit('templates');
  });
});
