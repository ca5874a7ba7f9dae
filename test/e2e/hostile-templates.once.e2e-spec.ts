import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import type { Answer } from '../support/requests/http-request.js';
import { RawConnection } from '../support/requests/raw-connection.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Megabytes of the heap that the host has. */
const HEAP = 256;
/** Memory limit of a process: its heap, and requests, answers and connections next to it. */
const MOST = 900;
/** A value of maximal length. */
const VALUE = 'x'.repeat(2_000);
/** Readers that do not read. */
const READERS = 60;

interface Refusal {
  name: string;
  message: string;
}
type BatchBody = Refusal & { data: { id: string }[]; errors: { index: number; message: string }[] };

const letterTo = (id: string, value = VALUE) => ({
  from: 'a@from.test',
  to: 'to@to.test',
  subject: 'Hello',
  template: { id, variables: { A: value } },
});
const batchOf = (count: number, id: string, value?: string) => Array.from({ length: count }, () => letterTo(id, value));

/** A small request for much output, or an unread answer, costs others neither memory nor time. */
describe('A host with a small heap', () => {
  let host: RunningHost;
  let neighbour: { token: string };
  /** 34 kB, which become 9.8 MB with the longest value. */
  let multiplies: string;
  let tooLarge: string;
  let wide: string;

  beforeAll(async () => {
    const sink = await SmtpSink.start();
    host = await startHost({ smtp: sink, role: 'api', env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } });
    neighbour = await host.account('neighbour');
    multiplies = await published('{{{A}}}'.repeat(4_900));
    tooLarge = await published('{{{A}}}'.repeat(5_001));
    wide = await published('{{A}} '.repeat(140_000));
  });

  afterEach(async () => {
    expect((await host.request('GET', '/emails?limit=1')).status).toBe(200);
    expect(megabytesOf(host.pid)).toBeLessThan(MOST);
  });

  async function published(html: string): Promise<string> {
    const { body } = await host.request<{ id: string }>('POST', '/templates', { body: { name: 'T', html } });
    expect((await host.request('POST', `/templates/${body.id}/publish`)).status).toBe(200);
    return body.id;
  }

  const batch = (body: unknown, headers = {}) =>
    host.request<BatchBody>('POST', '/emails/batch', { body, headers, timeout: 120_000 });

  const ofNeighbour = () =>
    host.request('POST', '/emails', {
      body: { from: 'n@from.test', to: 'to@to.test', subject: 'Hello', text: 'x' },
      token: neighbour.token,
    });

  function expectTaken({ status, headers, body }: Answer<Refusal>): void {
    if (status === 200) return;
    expect({ status, body }).toEqual({
      status: 503,
      body: expect.objectContaining({
        message: expect.stringMatching(
          /^(Too many large requests at once|The database (?:is too busy|does not answer in time))\. Nothing was accepted\.$/,
        ),
      }),
    });
    expect(headers['retry-after']).toBe('5');
  }

  it('refuses a batch whose templates exceed the limit of a request', async () => {
    const before = megabytesOf(host.pid);
    const answers = await Promise.all(Array.from({ length: 8 }, () => batch(batchOf(100, multiplies))));
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({
        status: 422,
        body: { name: 'validation_error', message: expect.stringMatching(/^`?\[5\].*50000000 bytes from templates/) },
      });
    }
    // Each would have come to 980 MB.
    expect(megabytesOf(host.pid) - before).toBeLessThan(100);
  });

  it('renders nothing of a permissive batch with only refused emails', async () => {
    const before = megabytesOf(host.pid);
    const permissive = { 'x-batch-validation': 'permissive' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => batch(batchOf(100, tooLarge), permissive)));
    for (const { status, body } of answers) {
      expect({ status, errors: body.errors.length, data: body.data }).toEqual({ status: 200, errors: 100, data: [] });
    }
    expect(megabytesOf(host.pid) - before).toBeLessThan(100);
  });

  it('renders templates within a memory limit, and answers 503 above it', async () => {
    const posts = Array.from({ length: 80 }, () =>
      host.request<Refusal>('POST', '/emails', { body: letterTo(multiplies), timeout: 120_000 }),
    );
    const batches = Array.from({ length: 4 }, () => batch(batchOf(5, multiplies)));
    const neighbours = await Promise.all(Array.from({ length: 20 }, ofNeighbour));
    expect(neighbours.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const answers = await Promise.all([...posts, ...batches]);
    for (const answer of answers) expectTaken(answer);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(2);
  });

  it('does not delay other accounts while it fills 140,000 placeholders a hundred times', async () => {
    let underWay = 4;
    const batches = Array.from({ length: underWay }, () => batch(batchOf(100, wide, '')).finally(() => underWay--));
    let answered = 0;
    while (underWay > 0) {
      expect((await ofNeighbour()).status).toBe(200);
      if (underWay > 0) answered++;
    }
    const answers = await Promise.all(batches);
    // One account has memory for one of them at a time: on a slow machine the last may exceed its wait.
    for (const answer of answers) expectTaken(answer);
    expect(answers.map(({ status }) => status)).toContain(200);
    // Without slices, one or two requests were answered between two of these.
    expect(answered).toBeGreaterThan(40);
  });

  describe('with readers who do not read', () => {
    let client: DashboardClient;
    const text = (bytes: number) => '<p>words &amp; "more"</p>\n'.repeat(bytes / 26);

    beforeAll(async () => {
      client = await DashboardClient.signedIn(host);
    });

    const cookie = () => [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

    async function openUnread(line: string, fields: readonly string[] = [], body = ''): Promise<void> {
      const head = [line, 'Host: 127.0.0.1', ...fields, `Content-Length: ${Buffer.byteLength(body)}`, '', ''];
      const readers = Array.from({ length: READERS }, async () => {
        const connection = await RawConnection.open(host.url, head.join('\r\n') + body);
        connection.stopReading();
      });
      await Promise.all(readers);
    }

    /** A reading client is served once the others are cut off. */
    async function expectServed(ask: () => Promise<Answer<unknown>>): Promise<void> {
      await until(async () => (await ask()).status === 200, { timeout: 120_000, interval: 500 });
    }

    async function sent(html: string): Promise<string> {
      const body = { from: 'a@from.test', to: 'to@to.test', subject: 'Hello', html };
      const { status, body: answer } = await host.request<{ id: string }>('POST', '/emails', { body });
      expect(status).toBe(200);
      return answer.id;
    }

    const bearer = () => [`Authorization: Bearer ${host.token}`];
    const framed = () => [`Cookie: ${cookie()}`, 'Sec-Fetch-Site: same-origin'];

    it('limits the large emails of frames in memory', async () => {
      const id = await sent(text(25_000_000));
      await openUnread(`GET /dashboard/frames/emails/${id} HTTP/1.1`, framed());
      await expectServed(() => client.ask('GET', `/frames/emails/${id}`, { headers: { 'x-emails-page': undefined } }));
    });

    it('limits previews of templates in memory', async () => {
      const form = `${new URLSearchParams({ html: '{{{A}}}'.repeat(4_900), subject: 'x', variables: `{"A":"${VALUE}"}` })}`;
      const type = ['Content-Type: application/x-www-form-urlencoded'];
      await openUnread('POST /dashboard/frames/template HTTP/1.1', [...framed(), ...type], form);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-emails-page': undefined };
      await expectServed(() => client.ask('POST', '/frames/template', { body: form, headers }));
    });

    it('limits pages of emails in memory', async () => {
      for (let count = 0; count < 3; count++) await sent(text(3_000_000));
      await openUnread('GET /emails?limit=3 HTTP/1.1', bearer());
      await expectServed(() => host.request('GET', '/emails?limit=3'));
    });

    it('limits emails and templates in memory that are longer in JSON', async () => {
      const control = '\u0001'.repeat(160_000);
      const id = await sent(control);
      await openUnread(`GET /emails/${id} HTTP/1.1`, bearer());
      await expectServed(() => host.request('GET', `/emails/${id}`));
      const { body } = await host.request<{ id: string }>('POST', '/templates', { body: { name: 'T', html: control } });
      await openUnread(`GET /templates/${body.id} HTTP/1.1`, bearer());
      await expectServed(() => host.request('GET', `/templates/${body.id}`));
    });
  });
});
