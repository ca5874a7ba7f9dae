import { Transform, type TransformCallback } from 'node:stream';

const ATTACHMENT = /^content-disposition:\s*attachment\b/i;
const LF = 0x0a;
/** A line of a header is cut after these bytes. */
const LINE = 200;

/**
 * Passes a message on, and counts its attachments: `Content-Disposition: attachment` in the header behind a boundary
 * (RFC 2046 section 5.1, RFC 2183). Lines of contents are only skipped, so that 60 MB take a moment.
 */
export class AttachmentCounter extends Transform {
  /** So far. */
  count = 0;
  /** The current line is in the header of a part. */
  private isInHeader = false;
  /** Beginning of the current line. */
  private line = '';

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(LF, from);
      const to = end < 0 ? chunk.length : end;
      if (this.line.length < LINE) this.line += chunk.toString('latin1', from, Math.min(to, from + LINE));
      if (end >= 0) this.endLine();
      from = to + 1;
    }
    done(null, chunk);
  }

  private endLine(): void {
    const line = this.line;
    this.line = '';
    if (line.startsWith('--')) this.isInHeader = true;
    else if (line === '' || line === '\r') this.isInHeader = false;
    else if (this.isInHeader && ATTACHMENT.test(line)) this.count += 1;
  }
}
