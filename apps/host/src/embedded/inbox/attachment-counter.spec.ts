import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AttachmentCounter } from './attachment-counter.js';

const MESSAGE = [
  'Subject: Two files',
  'Content-Disposition: attachment; filename=no-part.txt',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain',
  '',
  'Content-Disposition: attachment; in a text',
  '--x',
  'content-disposition:ATTACHMENT; filename=a.pdf',
  'Content-Type: application/pdf',
  '',
  'JVBERg==',
  '--x',
  'Content-Type: image/png',
  'Content-Disposition: inline; filename=b.png',
  '',
  'AAAA',
  '--x',
  'Content-Disposition:',
  'Content-Type: text/plain',
  '',
  '--x',
  'Content-Disposition: attachment',
  '',
  '',
  '--x--',
  '',
];

async function counted(message: string, size = message.length): Promise<number> {
  const bytes = Buffer.from(message);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  const counter = new AttachmentCounter();
  expect(await buffer(Readable.from(pieces).pipe(counter))).toEqual(bytes);
  return counter.count;
}

describe('AttachmentCounter', () => {
  it.each(['\r\n', '\n'])('counts in the headers of parts, with lines that end in %j', async (end) => {
    expect(await counted(MESSAGE.join(end))).toBe(2);
  });

  it('counts in pieces of any size', async () => {
    const message = MESSAGE.join('\r\n');
    for (let size = 1; size < 40; size += 1) expect(await counted(message, size)).toBe(2);
  });

  it('counts none in an empty message, and in one without lines', async () => {
    expect(await counted('')).toBe(0);
    expect(await counted('x'.repeat(1_000_000))).toBe(0);
  });
});
