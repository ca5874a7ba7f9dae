import { Readable } from 'node:stream';
import type { DataSource, EntityManager } from 'typeorm';
import type { AttachmentStorage } from '../ports/attachment-storage.js';

const SLICE = 1_000_000;
/** Bytes that are handed on at once. Each stage of whoever reads holds as much of them as its turn takes. */
const PIECE = 48_000;

/**
 * Finds a content and keeps the housekeeping from taking it for a day. At most once an hour, so that senders of the same
 * content do not wait for one another's transactions.
 */
const TOUCH = `
WITH touched AS (
  UPDATE nestjs_emails.attachment_contents SET touched_at = now()
  WHERE hash = $1 AND slice = 0 AND touched_at < now() - interval '1 hour' RETURNING 1
)
SELECT 1 FROM touched UNION ALL
SELECT 1 FROM nestjs_emails.attachment_contents
WHERE hash = $1 AND slice = 0 AND touched_at >= now() - interval '1 hour'`;
const PUT_SLICE = `
INSERT INTO nestjs_emails.attachment_contents (hash, slice, content) VALUES ($1, $2, $3)
ON CONFLICT (hash, slice) DO UPDATE SET touched_at = now()`;
const GET_SLICE = 'SELECT content FROM nestjs_emails.attachment_contents WHERE hash = $1 AND slice = $2';

/** Keeps contents in PostgreSQL, in slices of 1 MB so that neither side ever holds a whole one more than once. */
export class PostgresAttachmentStorage implements AttachmentStorage {
  constructor(private readonly dataSource: DataSource) {}

  put(hash: string, content: Buffer, transaction?: EntityManager): Promise<void> {
    return (transaction ?? this.dataSource).transaction(async (manager) => {
      const touched: unknown[] = await manager.query(TOUCH, [hash]);
      if (touched.length > 0) return;
      for (let slice = 0; slice === 0 || slice * SLICE < content.length; slice++) {
        await manager.query(PUT_SLICE, [hash, slice, content.subarray(slice * SLICE, (slice + 1) * SLICE)]);
      }
    });
  }

  async get(hash: string): Promise<Readable> {
    const first = await this.slice(hash, 0);
    if (!first) throw new Error('There is no attachment content under this hash.');
    return Readable.from(this.slices(hash, first), { objectMode: false });
  }

  private async *slices(hash: string, first: Buffer): AsyncGenerator<Buffer> {
    let content: Buffer | undefined = first;
    for (let slice = 1; content; slice++) {
      for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE);
      if (content.length < SLICE) return;
      content = await this.slice(hash, slice);
    }
  }

  private async slice(hash: string, slice: number): Promise<Buffer | undefined> {
    const rows: { content: Buffer }[] = await this.dataSource.query(GET_SLICE, [hash, slice]);
    return rows[0]?.content;
  }
}
