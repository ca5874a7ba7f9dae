import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ParsedMessage } from './parsed-message.js';

const PROGRAM = new URL('./parse.worker.ts', import.meta.url);
const TYPESCRIPT = new URL('../../../../test/support/typescript.mjs', import.meta.url);

/** Result of the thread for a message. */
async function parsed(...lines: string[]): Promise<ParsedMessage> {
  const worker = new Worker(PROGRAM, {
    workerData: new TextEncoder().encode(lines.join('\r\n')),
    execArgv: ['--import', TYPESCRIPT.href],
  });
  try {
    const [message] = await once(worker, 'message');
    return message;
  } finally {
    await worker.terminate();
  }
}

const times = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));

describe('a parsed message', () => {
  it('is shown with its mailboxes, its texts and its files', async () => {
    expect(
      await parsed(
        'From: "Ann" <ann@from.test>',
        'To: team: bob@to.test, "Zo" <zo@to.test>;, joe@to.test',
        'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        'Content-Type: text/html',
        '',
        '<b>hi</b>',
        '--x',
        'Content-Type: application/pdf; name="a.pdf"',
        '',
        'pdf',
        '--x--',
      ),
    ).toMatchObject({
      from: 'Ann <ann@from.test>',
      to: ['team: bob@to.test, Zo <zo@to.test>;', 'joe@to.test'],
      subject: 'Grüße',
      html: expect.stringContaining('<b>hi</b>'),
      attachments: [{ filename: 'a.pdf', contentType: 'application/pdf' }],
    });
  });

  it('limits mailboxes, headers, files and text', async () => {
    const many = await parsed(
      `To: ${times(1_000, (index) => `a${index}@to.test`).join(', ')}`,
      `Cc: ${times(1_000, (index) => `a${index}@to.test`).join(', ')}`,
      `Subject: ${'s'.repeat(20_000)}`,
      ...times(1_000, (index) => `X-Field-${index}: ${'x'.repeat(index === 0 ? 20_000 : 1)}`),
      'Content-Type: multipart/mixed; boundary=x',
      '',
      ...times(1_000, () => '--x\r\nContent-Type: image/png\r\n\r\npng'),
      '--x--',
    );
    expect([many.to, many.cc, many.headers, many.attachments].map(({ length }) => length)).toEqual(Array(4).fill(500));
    expect(many.subject).toHaveLength(8_000);
    expect(Math.max(...many.headers.map(({ value }) => value.length))).toBeLessThanOrEqual(8_000);
    const long = await parsed('Content-Type: text/plain', '', 'x'.repeat(10_000_100));
    expect(long.text).toHaveLength(10_000_000);
    const html = await parsed('Content-Type: text/html', '', 'x'.repeat(10_000_100));
    expect(html.html).toHaveLength(10_000_000);
  });

  it('limits the length of mailboxes and file names', async () => {
    const long = 'a'.repeat(100_000);
    const { from, to, attachments } = await parsed(
      `From: ${long} <${long}@from.test>`,
      `To: team: ${times(10_000, (index) => `a${index}@to.test`).join(', ')};`,
      `Content-Type: application/pdf; name="${long}"`,
      'Content-Disposition: attachment',
      '',
      'pdf',
    );
    for (const text of [from, ...to, ...attachments.map(({ filename }) => filename ?? '')]) {
      expect(text.length).toBeLessThanOrEqual(8_000);
    }
    expect([to.length, attachments.length]).toEqual([1, 1]);
  });

  it('is refused with endless nesting', async () => {
    const deep = times(60, (index) => `Content-Type: multipart/mixed; boundary=x${index}\r\n\r\n--x${index}`);
    await expect(parsed(...deep)).rejects.toThrow('nesting depth');
  });
});
