import { PATIENCE, TEST_LIMIT } from '../support/basics/patience.mjs';
import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import type { FilePrint } from '../support/reading/files.js';
import { keepPrints, largeFiles, peakMemory, postParts } from '../support/requests/large-files.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const COUNT = 150;
const SIZE = 3_000_000;
/** Limit of the worker's peak memory in MB. */
const MEMORY = 400;

let sink: SmtpSink;
let api: RunningHost;
let worker: RunningHost;
let received: Map<string, FilePrint>;
let release: () => void;

beforeAll(async () => {
  sink = await SmtpSink.start();
  received = keepPrints(sink);
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  api = await startHost({ smtp: sink, role: 'api' });
  worker = await startHost({ smtp: sink, role: 'worker', beside: api });
  // Not before: a starting host asks whether its mail is accepted.
  sink.onMail = async () => {
    await released;
    return undefined;
  };
});

it(
  `${COUNT} emails with a file of 3 MB that wait for a connection cost the worker next to no memory, and all arrive`,
  async () => {
    const prints = new Map<string, FilePrint>();
    for (const [n, { base64, print }] of largeFiles(COUNT, SIZE).entries()) {
      const { status, body } = await postParts(api, [
        Buffer.from(`{"from":"a@from.test","to":"b@d${n}.test","subject":"Files","text":"See the file.",`),
        Buffer.from('"attachments":[{"filename":"large.bin","content":"'),
        ...base64,
        Buffer.from('"}]}'),
      ]);
      expect(status).toBe(200);
      prints.set(body.id ?? '', print);
    }
    await eventually(async () => {
      const [row] = await api.query<{ taken: number }>(
        'SELECT count(*)::integer AS taken FROM nestjs_emails.deliveries WHERE fence > 0',
      );
      expect(row?.taken).toBe(COUNT);
    });
    expect(peakMemory(worker)).toBeLessThan(MEMORY);
    release();
    // 600 MB, next to other load.
    await eventually(() => expect(received.size).toBe(COUNT), { timeout: 3 * PATIENCE });
    expect(received).toEqual(prints);
    expect(sink.offered).toHaveLength(COUNT);
    expect(peakMemory(worker)).toBeLessThan(MEMORY);
  },
  // 600 MB are posted before it waits.
  3 * TEST_LIMIT,
);
