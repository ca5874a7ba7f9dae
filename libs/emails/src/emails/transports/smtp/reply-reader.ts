/** A reply of a mail server (RFC 5321 section 4.2). */
export interface Reply {
  /** 200 to 599. 0: not a reply, and later bytes are meaningless. */
  code: number;
  /** Its lines, codes included, without the last line end. Only the beginning of a long reply. */
  text: string;
}

/** Limit of a reply, in characters. It is generous, so that only an endless reply reaches it. */
const LONGEST = 1_048_576;
/** Approximate number of characters kept of a reply: many replies may be in memory at the same time. */
const KEPT = 4_096;
const LINE = /^([2-5]\d\d)(?:[ -]|$)/;
const ASCII = /^[\0-\x7f]*$/;

/** Parses a server's bytes into replies. */
export class ReplyReader {
  /** Lines of the unfinished reply, and the beginning of the next line. Bytes as characters. */
  private lines: string[] = [];
  private begun = '';
  /** Length of that reply and the empty lines before it. */
  private length = 0;

  /** Returns the replies that these bytes complete. A reply with the code 0 is the last. */
  read(bytes: Buffer): Reply[] {
    const replies: Reply[] = [];
    const [first = '', ...others] = bytes.toString('latin1').split('\n');
    this.begun += first;
    for (const other of others) {
      const reply = this.take(this.begun.endsWith('\r') ? this.begun.slice(0, -1) : this.begun);
      this.begun = other;
      if (reply) replies.push(reply);
      if (reply?.code === 0) return replies;
    }
    if (this.length + this.begun.length > LONGEST) replies.push(this.end(0));
    return replies;
  }

  /** The beginning of an incomplete reply. Empty: there is none. */
  get unfinished(): string {
    return decoded([...this.lines, this.begun].join('\n').trim());
  }

  /** A truncated refusal counts as a refusal. The meaning of any other truncated reply is unknown. */
  get refusalCutOff(): Reply | undefined {
    const text = this.unfinished;
    return /^[45]\d\d[ -]/.test(text) ? { code: Number(text.slice(0, 3)), text } : undefined;
  }

  private take(line: string): Reply | undefined {
    this.length += line.length + 1;
    // Some servers send empty lines between replies. They answer nothing.
    if (this.lines.length === 0 && line.trim() === '') return this.length > LONGEST ? this.end(0) : undefined;
    if (this.lines.length === 0 || this.length - line.length <= KEPT) this.lines.push(line.slice(0, KEPT));
    const code = LINE.exec(line)?.[1];
    if (!code || !this.lines[0]?.startsWith(code) || this.length > LONGEST) return this.end(0);
    return line[3] === '-' ? undefined : this.end(Number(code));
  }

  private end(code: number): Reply {
    const text = decoded(this.lines.join('\n'));
    this.lines = [];
    this.length = 0;
    return { code, text };
  }
}

/** RFC 5321 names no character set for replies: most are UTF-8, and others stay as they are. */
function decoded(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  const utf8 = Buffer.from(bytes, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? bytes : utf8;
}
