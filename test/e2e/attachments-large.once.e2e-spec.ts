import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { SmallHost } from '../support/hosts/small-host.js';
import { GARBAGE } from '../support/hosts/watch/garbage.mjs';
import { sample } from '../support/jest/sample.js';
import { type FilePrint, printOf, randomFile } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import {
  keepPrints,
  type LargeAnswer,
  type LargeFile,
  largeFiles,
  numbersOf,
  peakMemory,
  postParts,
} from '../support/requests/large-files.js';
import { FileServer } from '../support/servers/file-server.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const LARGE = 25_000_000;
/** Limit of the process's peak memory in MB. */
const MEMORY = 400 * GARBAGE;
const FIELDS = '"from":"a@from.test","to":"b@to.test","subject":"Files","text":"See the file."';

const withContent = (content: readonly Buffer[]) => [
  Buffer.from(`{${FIELDS},"attachments":[{"filename":"large.bin","content":"`),
  ...content,
  Buffer.from('"}]}'),
];
const withNumbers = (...numbers: readonly Buffer[]) => [
  Buffer.from(`{${FIELDS},"attachments":[{"filename":"large.bin","content":[`),
  ...numbers.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(','), part])),
  Buffer.from(']}]}'),
];
const json = (text: string) => [Buffer.from(text)];

/** Contract 2.2, and no size crashes the process. Each test has a separate host, whose peak is measured. */
describe('large attachments', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let received: Map<string, FilePrint>;

  beforeEach(async () => {
    sink = await SmtpSink.start();
    received = keepPrints(sink);
    host = await startHost({ smtp: sink });
  });

  afterEach(async () => {
    await host.stop();
    await sink.close();
  });

  const arrival = (id = '') => until(() => received.get(id), { what: 'the email' });

  /** Each was accepted and arrives, or was deferred. */
  async function expectArrivals(answers: readonly LargeAnswer[], files: readonly LargeFile[]): Promise<void> {
    const prints = new Map<string, FilePrint>();
    for (const [at, { status, retryAfter, body }] of answers.entries()) {
      expect([200, 429, 503]).toContain(status);
      if (status === 200) prints.set(body.id ?? '', files[at]!.print);
      else expect(retryAfter).toMatch(/^\d+$/);
    }
    expect(prints.size).toBeGreaterThan(0);
    await until(() => received.size >= prints.size, { what: 'all that was accepted' });
    expect(received).toEqual(prints);
  }

  it('one of 25 MB arrives byte for byte, within 400 MB of memory', async () => {
    const [file] = largeFiles(1, LARGE);
    const { status, body } = await postParts(host, withContent(file!.base64));
    expect(status).toBe(200);
    expect(await arrival(body.id)).toEqual(file!.print);
    expect(peakMemory(host)).toBeLessThan(MEMORY);
  });

  const spellings: readonly [string, number, (file: Buffer) => Buffer[]][] = [
    ['an array', LARGE, (file) => withNumbers(numbersOf(file, ', '))],
    [
      'a Buffer',
      LARGE,
      (file) => [
        Buffer.from(`{${FIELDS},"attachments":[{"filename":"f","content":{"type":"Buffer","data":[`),
        numbersOf(file),
        Buffer.from(']}}]}'),
      ],
    ],
    [
      'base64 with escaped slashes and line breaks',
      14_000_000,
      (file) =>
        withContent([Buffer.from(file.toString('base64').replace(/.{76}/g, '$&\\r\\n').replaceAll('/', '\\/'))]),
    ],
  ];

  it.each(sample(1, spellings))(
    'one spelt as %s, of %i bytes, arrives byte for byte, within 400 MB of memory',
    async (_, size, spell) => {
      const file = randomFile(size);
      const { status, body } = await postParts(host, spell(file));
      expect(status).toBe(200);
      expect(await arrival(body.id)).toEqual(printOf(file));
      expect(peakMemory(host)).toBeLessThan(MEMORY);
    },
  );

  async function sendEightInNumbers(): Promise<void> {
    const tokens = [host.token, (await host.account('another')).token];
    const files = largeFiles(8, LARGE);
    const decode = (part?: Buffer) => Buffer.from(part?.toString() ?? '', 'base64');
    const common = numbersOf(decode(files[0]?.base64[1]), ', ');
    const answers = await Promise.all(
      files.map(({ base64: [unique] }, at) =>
        postParts(
          { url: host.url, token: tokens[at % 2] ?? '' },
          withNumbers(numbersOf(decode(unique)), common),
          at % 4 < 2,
        ),
      ),
    );
    await expectArrivals(answers, files);
    expect(peakMemory(host)).toBeLessThan(MEMORY);
  }

  async function sendTwenty(accounts: number, isAnnounced: boolean): Promise<void> {
    const tokens = [host.token];
    while (tokens.length < accounts) tokens.push((await host.account(`number ${tokens.length}`)).token);
    const files = largeFiles(20, LARGE);
    const answers = await Promise.all(
      files.map(({ base64 }, at) =>
        postParts({ url: host.url, token: tokens[at % accounts] ?? '' }, withContent(base64), isAnnounced),
      ),
    );
    await expectArrivals(answers, files);
    expect(sink.offered).toHaveLength(received.size);
    expect(peakMemory(host)).toBeLessThan(MEMORY);
  }

  async function sendTwentyByPath(): Promise<void> {
    const origin = await FileServer.start();
    const files = largeFiles(20, LARGE);
    for (const [at, { base64 }] of files.entries()) {
      const [unique, common] = base64.map((part) => Buffer.from(part.toString(), 'base64'));
      origin.routes[`/${at}`] = (_, response) => {
        // Half of them do not announce their size.
        if (at % 2) response.setHeader('content-length', LARGE);
        response.write(unique);
        response.end(common);
      };
    }
    const small = await SmallHost.start(sink, { fetch: { allowedHosts: [origin.host] } });
    const answers = await Promise.all(
      files.map((_, at) => postParts(small, json(`{${FIELDS},"attachments":[{"path":"${origin.url}/${at}"}]}`))),
    );
    await expectArrivals(answers, files);
    expect(peakMemory(small)).toBeLessThan(MEMORY);
  }

  const PUT_OFF = 'each is accepted and arrives, or is deferred, within 400 MB';
  const floods: readonly [string, () => Promise<void>][] = [
    [
      'eight of 25 MB in numbers at once by two accounts: each arrives, or is deferred, within 400 MB',
      sendEightInNumbers,
    ],
    [`twenty of 25 MB at once by one account: ${PUT_OFF}`, () => sendTwenty(1, true)],
    [`twenty of 25 MB at once by three accounts: ${PUT_OFF}`, () => sendTwenty(3, true)],
    [
      `twenty of 25 MB at once by three accounts that do not say how much comes: ${PUT_OFF}`,
      () => sendTwenty(3, false),
    ],
    [`twenty of 25 MB by path at once: ${PUT_OFF}`, sendTwentyByPath],
  ];

  it.each(sample(1, floods))('%s', (_, send) => send());

  it('a message of up to 40 MB is accepted, a larger one is refused for any cause of its size', async () => {
    const [largest] = largeFiles(1, 29_100_000);
    const taken = await postParts(host, withContent(largest!.base64));
    expect(taken.status).toBe(200);
    expect(await arrival(taken.body.id)).toEqual(largest!.print);

    const before = await footprint(host);
    const half = 'A'.repeat(20_000_000);
    const attachments = (...contents: string[]) =>
      JSON.stringify(contents.map((content, at) => ({ filename: `${at}.bin`, content })));
    const tooLarge = [
      withContent(largeFiles(1, 29_400_000)[0]!.base64),
      withNumbers(numbersOf(randomFile(29_400_000))),
      json(`{${FIELDS},"attachments":${attachments(half, half)}}`),
      json(`{${FIELDS},"html":"${'<p>Hi</p>'.repeat(2_500_000)}","attachments":${attachments(half)}}`),
      // Under 40 MB as given, over it in the encoding of a message.
      json(`{${FIELDS},"html":"${'漢'.repeat(11_000_000)}"}`),
    ];
    for (const body of tooLarge) {
      expect(await postParts(host, body)).toMatchObject({
        status: 422,
        body: { name: 'validation_error', message: expect.stringContaining('40000000') },
      });
    }
    expect(await postParts(host, withContent([Buffer.alloc(110_000_000, 'A')]))).toMatchObject({
      status: 413,
      body: { name: 'validation_error', message: expect.stringContaining('larger than 58000000 bytes') },
    });
    expect(await footprint(host)).toEqual(before);
    expect(sink.offered).toHaveLength(1);
    expect(peakMemory(host)).toBeLessThan(MEMORY);
  });

  const bodies: readonly [string, () => string][] = [
    ['objects', () => `{${FIELDS},"attachments":[${'{},'.repeat(15_000_000)}{}]}`],
    ['arrays', () => `{${FIELDS},"tags":[${'[],'.repeat(15_000_000)}[]]}`],
    ['numbers', () => `{${FIELDS},"attachments":[${'1,'.repeat(55_000_000)}1]}`],
    ['numbers that are not bytes', () => `{${FIELDS},"attachments":[{"content":[${'1,'.repeat(55_000_000)}256]}]}`],
    ['texts', () => `{${FIELDS},"cc":["c@cc.test"${',"c@cc.test"'.repeat(4_000_000)}]}`],
    ['brackets', () => '['.repeat(50_000_000)],
    ['files', () => `{${FIELDS},"attachments":[{}${',{"filename":"a","content":"YQ=="}'.repeat(1_400_000)}]}`],
  ];

  it.each(sample(2, bodies))('a body of many %s is refused at once, within 400 MB of memory', async (_, make) => {
    const before = await footprint(host);
    const answer = await postParts(host, json(make()));
    expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, name: 'validation_error' } });
    expect((await host.request('GET', '/emails')).status).toBe(200);
    expect(await footprint(host)).toEqual(before);
    expect(peakMemory(host)).toBeLessThan(MEMORY);
  });
});
