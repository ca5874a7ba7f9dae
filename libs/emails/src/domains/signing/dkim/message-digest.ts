import type { Readable } from 'node:stream';
import { nextTurn, SLICE } from '../../../shared/work/slices.js';
import { RelaxedBody } from './relaxed-body.js';

/** The parts of a message that a signature covers. */
export interface MessageDigest {
  /** Its header without the empty line, the bytes as characters of latin1. */
  header: string;
  /** In base64. */
  bodyHash: string;
}

const END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/**
 * Reads a message once, without keeping its body. Each turn of the event loop hashes at most one slice of all messages.
 *
 * @param raw in wire format, as a message stage gets it
 */
export async function digestOf(raw: Buffer | (() => Readable)): Promise<MessageDigest> {
  const reader = new MessageReader();
  let turn = 0;
  for await (const bytes of Buffer.isBuffer(raw) ? [raw] : (raw() as AsyncIterable<Buffer>)) {
    for (let at = 0; at < bytes.length; at += SLICE) {
      const piece = bytes.subarray(at, at + SLICE);
      turn += piece.length;
      if (turn > SLICE) {
        await nextTurn();
        turn = piece.length;
      }
      reader.read(piece);
    }
  }
  return reader.end();
}

/** Splits a message at the first empty line (RFC 5322 section 2.1). */
class MessageReader {
  private readonly body = new RelaxedBody();
  private head: Buffer[] = [];
  /** The last bytes of the header, in which its end may have begun. Begins as after a line end. */
  private tail = LINE_END;
  private header: string | undefined;

  read(bytes: Buffer): void {
    if (this.header !== undefined) {
      this.body.update(bytes);
      return;
    }
    const joined = Buffer.concat([this.tail, bytes]);
    const found = joined.indexOf(END);
    if (found === -1) {
      this.head.push(bytes);
      this.tail = joined.subarray(-3);
      return;
    }
    const end = found + END.length - this.tail.length;
    this.head.push(bytes.subarray(0, end));
    this.header = this.joinHead();
    this.body.update(bytes.subarray(end));
  }

  end(): MessageDigest {
    return { header: this.header ?? this.joinHead(), bodyHash: this.body.digest() };
  }

  private joinHead(): string {
    const head = Buffer.concat(this.head).toString('latin1');
    this.head = [];
    return head;
  }
}
