import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AttachmentCounter } from './attachment-counter.js';

/**
 * One received message. `to` is the envelope's, so it names blind copies too. `from` is that of the header: the envelope
 * has the address for reports.
 */
export interface InboxEntry {
  id: string;
  from: string;
  to: string[];
  /** Decoded; empty when the message has none. */
  subject: string;
  /** ISO 8601, UTC. */
  received_at: string;
  /** Bytes. */
  size: number;
  /** Number of attachments. */
  attachments: number;
  /** True if it has a DKIM signature (RFC 6376), which may be wrong. Undefined for messages of earlier versions. */
  signed?: boolean;
}

export type Envelope = Pick<InboxEntry, 'from' | 'to'>;

const FILE_NAME = /^([0-9a-f-]{36})\.(eml|json)(\.partial)?$/;
const HEADER_LIMIT_BYTES = 256 * 1024;

const newestFirst = (a: InboxEntry, b: InboxEntry) => b.received_at.localeCompare(a.received_at);

/**
 * Messages in a directory: `<id>.eml` is the message, byte for byte, and `<id>.json` the rest of its entry. The second
 * is written last, so that only complete messages count.
 */
export class InboxStore {
  /** Newest first. */
  private entries: readonly InboxEntry[] = [];
  /** Time of the latest message, in Unix milliseconds. */
  private latestReceipt = 0;

  private constructor(
    private readonly directory: string,
    private readonly capacity: number,
  ) {}

  /** @param capacity limit of messages; older ones are deleted */
  static async open(directory: string, capacity: number): Promise<InboxStore> {
    // The mode applies to this directory alone, not to created parent directories.
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const store = new InboxStore(directory, capacity);
    await store.load();
    return store;
  }

  /** Newest first. */
  list(): readonly InboxEntry[] {
    return this.entries;
  }

  /** Path of the message with this id. */
  fileOf(id: string): string {
    return this.path(id, 'eml');
  }

  /** The message with this id, open for reading. Only ids of entries are used as file names. */
  async openMessage(id: string): Promise<FileHandle | undefined> {
    if (!this.entries.some((entry) => entry.id === id)) return undefined;
    return open(this.path(id, 'eml')).catch(() => undefined);
  }

  /**
   * Keeps a message, and resolves with its id. Files are not synced to the disk: this is for development, and a power failure may lose the
   * newest.
   */
  async add(envelope: Envelope, message: Readable): Promise<string> {
    const id = randomUUID();
    const [raw, rest] = [this.path(id, 'eml'), this.path(id, 'json')];
    try {
      const counter = new AttachmentCounter();
      await pipeline(message, counter, createWriteStream(`${raw}.partial`, { mode: 0o600 }));
      const { subject, from = envelope.from, signed } = await headerOf(`${raw}.partial`);
      const { size } = await stat(`${raw}.partial`);
      const attachments = counter.count;
      const entry = { id, ...envelope, from, subject, received_at: this.nextReceipt(), size, attachments, signed };
      await writeFile(`${rest}.partial`, JSON.stringify(entry), { mode: 0o600 });
      await rename(`${raw}.partial`, raw);
      await rename(`${rest}.partial`, rest);
      this.entries = [entry, ...this.entries].sort(newestFirst);
    } catch (error) {
      await Promise.all([raw, rest].flatMap((file) => [remove(file), remove(`${file}.partial`)]));
      throw error;
    }
    await this.forgetOldest();
    return id;
  }

  /** @returns false when it did not exist */
  async remove(id: string): Promise<boolean> {
    const kept = this.entries.filter((entry) => entry.id !== id);
    if (kept.length === this.entries.length) return false;
    this.entries = kept;
    await this.removeFiles(id);
    return true;
  }

  /** Removes all kept messages. A message that arrives meanwhile stays. */
  async clear(): Promise<void> {
    const removed = this.entries;
    this.entries = [];
    for (const { id } of removed) await this.removeFiles(id);
  }

  /** Times are unique, even within a millisecond: after a restart only they show the order of the messages. */
  private nextReceipt(): string {
    this.latestReceipt = Math.max(Date.now(), this.latestReceipt + 1);
    return new Date(this.latestReceipt).toISOString();
  }

  private async load(): Promise<void> {
    const names = new Set((await readdir(this.directory)).filter((name) => FILE_NAME.test(name)));
    const complete = [...names].filter((name) => name.endsWith('.json') && names.has(name.replace('.json', '.eml')));
    const entries = await Promise.all(complete.map((name) => readEntry(this.directory, name)));
    this.entries = entries.flat().sort(newestFirst);
    this.latestReceipt = new Date(this.entries[0]?.received_at ?? 0).getTime();

    const known = new Set(this.entries.flatMap(({ id }) => [`${id}.eml`, `${id}.json`]));
    await Promise.all([...names].filter((name) => !known.has(name)).map((name) => remove(join(this.directory, name))));
    await this.forgetOldest();
  }

  private async forgetOldest(): Promise<void> {
    const forgotten = this.entries.slice(this.capacity);
    this.entries = this.entries.slice(0, this.capacity);
    for (const { id } of forgotten) await this.removeFiles(id);
  }

  /** Deletes the entry file first. */
  private async removeFiles(id: string): Promise<void> {
    await remove(this.path(id, 'json'));
    await remove(this.path(id, 'eml'));
  }

  private path(id: string, kind: 'eml' | 'json'): string {
    return join(this.directory, `${id}.${kind}`);
  }
}

const remove = (file: string): Promise<void> => rm(file, { force: true });

/** No entry for a damaged file, which must not prevent the start of the host. */
async function readEntry(directory: string, name: string): Promise<InboxEntry[]> {
  try {
    const entry = JSON.parse(await readFile(join(directory, name), 'utf8')) as InboxEntry;
    const id = name.replace('.json', '');
    const { size } = await stat(join(directory, `${id}.eml`));
    return [
      {
        ...entry,
        attachments: entry.attachments ?? 0,
        id,
        size,
        received_at: new Date(entry.received_at).toISOString(),
      },
    ];
  } catch {
    return [];
  }
}

/** Only the header is read: a message may be as large as the server's limit. */
async function headerOf(file: string): Promise<{ subject: string; from?: string; signed: boolean }> {
  const { default: PostalMime } = await import('postal-mime');
  const handle = await open(file);
  try {
    const start = Buffer.alloc(HEADER_LIMIT_BYTES);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const end = start.subarray(0, bytesRead).indexOf('\r\n\r\n');
    const { subject = '', from, headers } = await PostalMime.parse(start.subarray(0, end < 0 ? bytesRead : end));
    const signed = headers.some(({ key }) => key === 'dkim-signature') || bytesRead === start.length;
    return { subject, ...(from?.address && { from: from.address }), signed };
  } finally {
    await handle.close();
  }
}
