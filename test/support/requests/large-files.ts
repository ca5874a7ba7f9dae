import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type FilePrint, randomFile } from '../reading/files.js';
import type { SmtpSink } from '../servers/smtp/smtp-sink.js';

/** Divisible by three, so that base64 of both parts of a file is base64 of the file. */
const UNIQUE = 24;

/** A file of random bytes; only the first ones differ between files, so that twenty cost little more than one. */
export interface LargeFile {
  print: FilePrint;
  /** Its base64, in parts. */
  base64: Buffer[];
}

export function largeFiles(count: number, size: number): LargeFile[] {
  const common = randomFile(size - UNIQUE);
  const commonBase64 = Buffer.from(common.toString('base64'));
  return Array.from({ length: count }, () => {
    const unique = randomFile(UNIQUE);
    const sha256 = createHash('sha256').update(unique).update(common).digest('hex');
    return { print: { size, sha256 }, base64: [Buffer.from(unique.toString('base64')), commonBase64] };
  });
}

/** Bytes as the numbers of a JSON array, without its brackets: in the formats of clients in Go and Ruby, or Python. */
export function numbersOf(bytes: Buffer, separator: ',' | ', ' = ','): Buffer {
  const spelt = Array.from({ length: 256 }, (_, value) => Buffer.from(`${value}${separator}`));
  const text = Buffer.allocUnsafe(bytes.length * (3 + separator.length));
  let end = 0;
  for (const byte of bytes) for (const symbol of spelt[byte] ?? []) text[end++] = symbol;
  return text.subarray(0, end - separator.length);
}

export interface LargeAnswer {
  status: number;
  retryAfter: string | undefined;
  body: { id?: string; statusCode?: number; name?: string; message?: string };
}

/**
 * `POST /emails` with a body in parts, which are not copied. Has no timeout.
 *
 * @param isAnnounced whether it announces the length of the body
 */
export function postParts(
  host: { url: string; token: string },
  parts: readonly Buffer[],
  isAnnounced = true,
): Promise<LargeAnswer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const headers = {
    authorization: `Bearer ${host.token}`,
    'content-type': 'application/json',
    ...(isAnnounced ? { 'content-length': length } : { 'transfer-encoding': 'chunked' }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${host.url}/emails`, { method: 'POST', headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          retryAfter: incoming.headers['retry-after'],
          body: JSON.parse(text),
        }),
      );
    });
    outgoing.once('error', reject);
    for (const part of parts) outgoing.write(part);
    outgoing.end();
  });
}

/** Stores only the digest of the single file of each message, by the id of the email. */
export function keepPrints(sink: SmtpSink): Map<string, FilePrint> {
  const prints = new Map<string, FilePrint>();
  sink.onMessage = (message) => {
    const { raw } = message;
    const [, id = ''] = /^Message-ID: <([^@]+)@/m.exec(raw.toString('latin1', 0, 4_000)) ?? [];
    const start = raw.indexOf('\r\n\r\n', raw.indexOf('Content-Disposition: attachment')) + '\r\n\r\n'.length;
    const end = raw.indexOf('\r\n--', start);
    const content = Buffer.from(raw.toString('latin1', start, end), 'base64');
    prints.set(id, { size: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    message.raw = Buffer.alloc(0);
    return undefined;
  };
  return prints;
}

/** Peak of a process's resident memory, in MB of a million bytes. Linux counts it without sampling. */
export function peakMemory({ pid }: { pid: number | undefined }): number {
  const [, kibibytes = 'NaN'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kibibytes) * 1_024) / 1_000_000);
}
