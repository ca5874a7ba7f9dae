import { createHash, randomBytes } from 'node:crypto';
import type { Attachment } from 'postal-mime';
import type { SinkMessage } from '../servers/smtp/smtp-sink.js';
import { parseMime } from './mime.js';

/** Digest for comparisons of files, because a difference in 25 MB must not be printed byte by byte. */
export interface FilePrint {
  size: number;
  sha256: string;
}

/** A unique file: no other test has the same content. */
export function randomFile(size: number): Buffer {
  return randomBytes(size);
}

/** Every value a byte can have, and the same backwards. */
export function everyByte(): Buffer {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
  return Buffer.concat([bytes, Buffer.from(bytes).reverse()]);
}

export function printOf(content: Uint8Array): FilePrint {
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** A file received by the recipient. */
export interface ReceivedFile extends Omit<Attachment, 'content'> {
  content: Buffer;
}

/** The files in a message, in order, decoded by an independent parser. */
export async function filesIn({ raw }: Pick<SinkMessage, 'raw'>): Promise<ReceivedFile[]> {
  const { attachments } = await parseMime(raw);
  return attachments.map(({ content, ...rest }) => {
    if (typeof content === 'string') throw new Error('The parser decoded a file as text.');
    return { ...rest, content: content instanceof ArrayBuffer ? Buffer.from(content) : Buffer.from(content) };
  });
}
