import { Resend } from 'resend';
import { PATIENCE } from '../support/basics/patience.mjs';
import { until } from '../support/basics/wait-for.js';
import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { filesIn, printOf, randomFile } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { FileServer } from '../support/servers/file-server.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const REFUSAL = {
  status: 422,
  body: { statusCode: 422, name: 'invalid_attachment', message: 'The `path` of an attachment could not be fetched.' },
};

const email = (attachment: object, more: object = {}) => ({
  from: 'a@from.test',
  to: 'b@to.test',
  subject: 'Files',
  text: 'See the file.',
  attachments: [attachment],
  ...more,
});

async function send(host: RunningHost | SmallHost, body: object, headers = {}) {
  const answer = await host.request<Record<string, string>>('POST', '/emails', { body, headers });
  return { status: answer.status, body: answer.body };
}

/** Contract 2.2, `path`: fetched when the request is accepted, or refused without a trace. */
describe('an attachment by path', () => {
  let sink: SmtpSink;
  let accepted = 0;

  beforeAll(async () => {
    sink = await SmtpSink.start();
  });

  describe('from a host that the operator allows', () => {
    let origin: FileServer;
    /** On an allowed port, so that only the address is forbidden. */
    let canary: FileServer;
    let host: SmallHost;
    /** The same with a short timeout. */
    let hasty: SmallHost;

    beforeAll(async () => {
      [origin, canary] = await Promise.all([FileServer.start(), FileServer.start()]);
      canary.routes['/secret'] = (_, response) => response.end('secret');
      host = await SmallHost.start(sink, {
        fetch: { allowedHosts: [origin.host], ports: [canary.port], timeout: PATIENCE },
        http: { messageLimit: 300_000 },
      });
      hasty = await SmallHost.start(sink, { fetch: { allowedHosts: [origin.host], timeout: 500 } }, host.database);
    });

    beforeEach(() => {
      origin.asked.length = 0;
    });

    async function deliver(attachment: object, more: object = {}): Promise<SinkMessage> {
      const { status, body } = await send(host, email(attachment, more));
      expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(String) } });
      accepted += 1;
      return sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${body.id}@`));
    }

    async function refuse(path: string, more: object = {}, by = host) {
      const before = await footprint(host);
      const answer = await send(by, email({ path, filename: 'a.txt', ...more }));
      expect(await footprint(host)).toEqual(before);
      expect(canary.connections).toBe(0);
      return answer;
    }

    it('is fetched and stored once for all emails of a batch, and a failure is reported for each', async () => {
      const file = randomFile(100_000);
      origin.routes['/shared.pdf'] = (_, response) => response.end(file);
      const [there, gone] = ['/shared.pdf', '/gone'].map((path) => email({ path: `${origin.url}${path}` }));
      const before = await footprint(host);
      const { status, body } = await host.request<{ data: { id: string }[]; errors: { index: number }[] }>(
        'POST',
        '/emails/batch',
        {
          body: [gone, ...Array.from({ length: 98 }, () => there), gone],
          headers: { 'x-batch-validation': 'permissive' },
        },
      );
      expect([status, body.data.length, body.errors.map(({ index }) => index)]).toEqual([200, 98, [0, 99]]);
      accepted += 98;
      expect(origin.asked).toEqual(['/gone', '/shared.pdf']);
      const after = await footprint(host);
      expect(after.attachments! - before.attachments!).toBe(98);
      expect(after.attachment_contents! - before.attachment_contents!).toBe(1);
      const message = await sink.waitFor(({ raw }) => raw.includes(`<${body.data[97]!.id}@`));
      expect((await filesIn(message)).map(({ filename, content }) => [filename, printOf(content)])).toEqual([
        ['shared.pdf', printOf(file)],
      ]);
    });

    it('arrives byte for byte, with the name and the type of its source', async () => {
      const file = randomFile(123_457);
      origin.routes['/files/%C3%9Cbersicht%201.pdf'] = (_, response) =>
        response.setHeader('content-type', 'application/pdf').end(file);
      const message = await deliver({ path: `${origin.url}/files/%C3%9Cbersicht%201.pdf?token=1` });
      const [received] = await filesIn(message);
      expect(received).toMatchObject({ filename: 'Übersicht 1.pdf', mimeType: 'application/pdf' });
      expect(printOf(received!.content)).toEqual(printOf(file));
    });

    it('has the labels of the request if it has any', async () => {
      origin.routes['/x.bin'] = (_, response) => response.setHeader('content-type', 'text/html').end('abc');
      const labels = { filename: 'logo.png', content_type: 'image/png', content_id: 'logo' };
      const message = await deliver({ path: `${origin.url}/x.bin`, ...labels }, { html: '<img src="cid:logo">' });
      expect(await filesIn(message)).toMatchObject([
        { filename: 'logo.png', mimeType: 'image/png', contentId: '<logo>', disposition: 'inline' },
      ]);
    });

    it('has a type by its name without one from the server, and no name without one in the URL', async () => {
      origin.routes['/list.csv'] = (_, response) => response.end('a;b');
      expect(await filesIn(await deliver({ path: `${origin.url}/list.csv` }))).toMatchObject([
        { filename: 'list.csv', mimeType: 'text/csv' },
      ]);
      origin.routes['/'] = (_, response) => response.end('abc');
      expect(await filesIn(await deliver({ path: origin.url }))).toMatchObject([
        { filename: null, mimeType: 'application/octet-stream' },
      ]);
    });

    it('has the content at the time of acceptance, fetched once', async () => {
      let content = 'then';
      origin.routes['/changing.txt'] = (_, response) => response.end(content);
      const scheduled_at = new Date(Date.now() + 2_000).toISOString();
      const body = email({ path: `${origin.url}/changing.txt` }, { scheduled_at });
      const first = await send(host, body, { 'idempotency-key': 'once' });
      expect(first.status).toBe(200);
      accepted += 1;
      content = 'now';
      expect(await send(host, body, { 'idempotency-key': 'once' })).toEqual(first);
      const message = await sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${first.body.id}@`));
      expect((await filesIn(message))[0]?.content.toString()).toBe('then');
      expect(origin.asked).toEqual(['/changing.txt']);
    });

    it('works through the official client', async () => {
      origin.routes['/invoice.pdf'] = (_, response) => response.end('invoice');
      const resend = new Resend(host.token, { baseUrl: host.url });
      const { data, error } = await resend.emails.send({
        from: 'a@from.test',
        to: 'b@to.test',
        subject: 'Files',
        text: 'See the file.',
        attachments: [{ path: `${origin.url}/invoice.pdf`, filename: 'yours.pdf', contentId: 'it' }],
      });
      expect(error).toBeNull();
      accepted += 1;
      const message = await sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${data?.id}@`));
      const [received] = await filesIn(message);
      expect(received).toMatchObject({ filename: 'yours.pdf', mimeType: 'application/pdf', contentId: '<it>' });
      expect(received?.content.toString()).toBe('invoice');
    });

    it('follows three redirects and no fourth', async () => {
      for (const step of [1, 2, 3, 4]) {
        origin.routes[`/${step}`] = (_, response) => response.writeHead(302, { location: `/${step - 1}` }).end();
      }
      origin.routes['/0'] = (_, response) => response.end('here');
      expect((await filesIn(await deliver({ path: `${origin.url}/3` })))[0]?.content.toString()).toBe('here');
      expect(origin.asked).toEqual(['/3', '/2', '/1', '/0']);
      expect(await refuse(`${origin.url}/4`)).toEqual(REFUSAL);
    });

    it.each([301, 302, 303, 307, 308])('refuses a redirect (%d) to an address that is not public', async (status) => {
      origin.routes['/away'] = (_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/secret` }).end();
      expect(await refuse(`${origin.url}/away`)).toEqual(REFUSAL);
      expect(origin.asked).toEqual(['/away']);
    });

    it.each(['file:///etc/hostname', 'data:text/plain,secret', 'ftp://127.0.0.1/x', '//127.0.0.1:1/x'])(
      'refuses a redirect to %s',
      async (location) => {
        origin.routes['/away'] = (_, response) => response.writeHead(302, { location }).end();
        expect(await refuse(`${origin.url}/away`)).toEqual(REFUSAL);
      },
    );

    it.each([
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '0.0.0.0',
      '%31%32%37.0.0.1',
      '１２７.0.0.1',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
    ])('refuses this machine by the name of %s, on a port that is allowed', async (name) => {
      expect(await refuse(`http://${name}:${canary.port}/secret`)).toEqual(REFUSAL);
    });

    it('refuses credentials, also for an allowed host', async () => {
      origin.routes['/x'] = (_, response) => response.end('abc');
      expect(await refuse(`http://user:pass@${origin.host}/x`)).toEqual(REFUSAL);
      expect(await refuse(`http://user@${origin.host}/x`)).toEqual(REFUSAL);
      expect(origin.asked).toEqual([]);
    });

    it.each([201, 204, 206, 304, 400, 401, 403, 404, 500, 503])('refuses the answer %d', async (status) => {
      origin.routes['/x'] = (_, response) => response.writeHead(status).end();
      expect(await refuse(`${origin.url}/x`)).toEqual(REFUSAL);
      expect(origin.asked).toEqual(['/x']);
    });

    it('refuses a body that is cut short', async () => {
      origin.routes['/x'] = (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('abc', () => response.destroy());
      };
      expect(await refuse(`${origin.url}/x`)).toEqual(REFUSAL);
    });

    it('refuses a compressed body, which it did not request', async () => {
      origin.routes['/x'] = (_, response) => response.setHeader('content-encoding', 'gzip').end('abc');
      expect(await refuse(`${origin.url}/x`)).toEqual(REFUSAL);
    });

    it('refuses a file over the limit, announced or not, without reading on', async () => {
      origin.routes['/announced'] = (_, response) => response.setHeader('content-length', '300001').write('a');
      expect(await refuse(`${origin.url}/announced`)).toEqual(REFUSAL);

      let written = 0;
      origin.routes['/endless'] = (_, response) => {
        const more = () => {
          if (response.destroyed) return;
          written += 10_000;
          response.write(Buffer.alloc(10_000), more);
        };
        more();
      };
      expect(await refuse(`${origin.url}/endless`)).toEqual(REFUSAL);
      expect(written).toBeLessThan(20_000_000);
    });

    it('refuses a file that does not fit the message in base64', async () => {
      origin.routes['/x'] = (_, response) => response.end(randomFile(225_000));
      const { status, body } = await refuse(`${origin.url}/x`);
      expect({ status, code: body.statusCode }).toEqual({ status: 422, code: 422 });
    });

    it.each<[string, (write: (text: string) => void) => void]>([
      ['answers nothing', () => {}],
      ['says only a little now and then', (write) => write('a')],
    ])('refuses a server that %s when the time is up', async (_, speak) => {
      let timer: NodeJS.Timeout | undefined;
      origin.routes['/slow'] = (_request, response) => {
        timer = setInterval(() => speak((text) => response.write(text)), 100);
        response.once('close', () => clearInterval(timer));
      };
      expect(await refuse(`${origin.url}/slow`, {}, hasty)).toEqual(REFUSAL);
      clearInterval(timer);
    });

    it('refuses an absent server', async () => {
      expect(await refuse(`http://127.0.0.1:${canary.port + 1 > 65_535 ? 1 : canary.port + 1}/x`)).toEqual(REFUSAL);
    });

    it('fetches nothing when the request is refused for another reason', async () => {
      origin.routes['/x'] = (_, response) => response.end('abc');
      for (const wrong of [{ to: 'nobody' }, { subject: undefined }, { replyTo: 'a@b.test' }, { topic_id: 'x' }]) {
        const { status } = await send(host, email({ path: `${origin.url}/x` }, wrong));
        expect(status).toBe(422);
      }
      expect(origin.asked).toEqual([]);
    });

    it('sent no refused email', async () => {
      await deliver({ filename: 'last.txt', content: 'YWJj' });
      await until(() => sink.offered.length >= accepted, { what: 'all accepted emails' });
      expect(sink.offered).toHaveLength(accepted);
      expect(canary.connections).toBe(0);
      expect(host.output.replace(/^ready\n/, '')).toBe('');
    });
  });

  describe('of which a request has several', () => {
    let origin: FileServer;
    let host: SmallHost;
    const large = randomFile(2_000_000);

    beforeAll(async () => {
      origin = await FileServer.start();
      origin.routes['/large'] = (_, response) => response.end(large);
      host = await SmallHost.start(sink, { fetch: { allowedHosts: [origin.host], timeout: PATIENCE } });
    });

    const files = (...paths: string[]) =>
      email({}, { attachments: paths.map((path) => ({ path: `${origin.url}${path}`, filename: 'a.bin' })) });

    it('does not block others from fetching large files while its own are in progress', async () => {
      let answer: (() => void) | undefined;
      origin.routes['/slow'] = (_, response) => {
        answer = () => response.end('abc');
      };
      let isOver = false;
      const slow = send(host, files('/large', '/slow')).finally(() => {
        isOver = true;
      });
      await until(() => answer, { what: 'the slow file' });
      expect(await send(host, files('/large'))).toMatchObject({ status: 200 });
      expect(isOver).toBe(false);
      answer?.();
      expect(await slow).toMatchObject({ status: 200 });
    });
  });

  describe('from the default host', () => {
    let canary: FileServer;
    let host: RunningHost;

    beforeAll(async () => {
      canary = await FileServer.start();
      ({ host } = await shareHost());
    });

    it.each([
      'http://127.0.0.1:CANARY/secret',
      'http://localhost:CANARY/secret',
      'https://127.0.0.1:CANARY/secret',
      'http://127.0.0.1/',
      'https://localhost/',
      'http://10.0.0.1/',
      'http://172.16.0.1/',
      'http://192.168.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://100.100.100.200/',
      'http://168.63.129.16/',
      'http://0.0.0.0/',
      'http://[::1]/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://[::ffff:169.254.169.254]/',
      'https://user:pass@192.0.2.1/',
      'https://192.0.2.1:8443/',
      'ftp://127.0.0.1/x',
      'file:///etc/hostname',
      'data:text/plain;base64,YWJj',
      'javascript:1',
      '/etc/hostname',
      '//127.0.0.1/x',
      '127.0.0.1/x',
      'http:///',
      'http://a b/',
      'nonsense',
    ])('%s is refused with the same message as all others', async (path) => {
      const before = await footprint(host);
      const body = email({ path: path.replace('CANARY', String(canary.port)), filename: 'a.txt' });
      expect(await send(host, body)).toEqual(REFUSAL);
      expect(await footprint(host)).toEqual(before);
      expect(canary.connections).toBe(0);
      expect(host.output).not.toContain(path);
    });

    it.each([7, true, ['https://a.test/'], { href: 'https://a.test/' }])('%j is not a path', async (path) => {
      const before = await footprint(host);
      expect(await send(host, email({ path, filename: 'a.txt' }))).toEqual({
        status: 422,
        body: { statusCode: 422, name: 'validation_error', message: expect.stringContaining('`attachments[0].path`') },
      });
      expect(await footprint(host)).toEqual(before);
    });
  });
});
