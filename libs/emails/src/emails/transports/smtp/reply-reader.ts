/** What a mail server said (RFC 5321 section 4.2). */
export interface Reply {
  /** 200 to 599. 0: it is no reply, and nothing that comes after it means anything. */
  code: number;
  /** Its lines, codes included, without the last line end. Of a long reply only the beginning. */
  text: string;
}

/** Characters of one reply, at most: generous, so that only a server that never comes to an end meets it. */
const LONGEST = 1_048_576;
/** Characters that are kept of one, about: many replies may be in memory at the same time. */
const KEPT = 4_096;
const LINE = /^([2-5]\d\d)(?:[ -]|$)/;
const ASCII = /^[\0-\x7f]*$/;

/** Makes replies of the bytes of a server. */
export class ReplyReader {
  /** Of the reply that is coming: its lines, and what there is of the next. Bytes as characters. */
  private lines: string[] = [];
  private begun = '';
  /** Of that reply, and of the empty lines before it. */
  private length = 0;

  /** The replies that are complete with these bytes. After one with the code 0 there is none. */
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

  /** What has come of a reply that is not complete. Empty: none was begun. */
  get unfinished(): string {
    return decoded([...this.lines, this.begun].join('\n').trim());
  }

  private take(line: string): Reply | undefined {
    this.length += line.length + 1;
    // Some servers say empty lines between replies. They answer nothing.
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
