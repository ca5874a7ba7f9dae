/** Where in a conversation a server is, RFC 5321. `dot`: the whole message has come. */
export type Stage = 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'dot' | 'rset' | 'quit';

/** What a server does instead of the usual. */
export type Action =
  /** Says this line. After 421, and with `last`, it closes. */
  | { kind: 'say'; line: string; last?: boolean }
  /** Says these bytes as they are, one at a time with `apart`. With `last` it closes. */
  | { kind: 'bytes'; bytes: Buffer; apart?: boolean; last?: boolean }
  /** Forgets to answer, and goes on as if it had said the usual. */
  | { kind: 'skip' }
  /** Says it one byte at a time, `every` milliseconds. */
  | { kind: 'trickle'; line: string; every: number }
  /** Says the beginning of a line and closes. */
  | { kind: 'truncate'; line: string }
  /** Says nothing, and closes in good order, closes at once, resets or waits for ever. */
  | { kind: 'close' | 'drop' | 'reset' | 'silence' }
  /** Says the usual once `released` resolves; at `data` it first takes `bytes` of the message. */
  | { kind: 'hold'; reached: () => void; released: Promise<void>; bytes?: number };

/** What is done at a stage. */
export interface Deviation {
  action: Action;
  /** At `dot`: whether the message counts as taken, whatever is then said. Default: when 2xx is said, or nothing sensible. */
  taken?: boolean;
}

/** One deviation: at this stage, this; once. */
export interface Step extends Deviation {
  stage: Stage;
  /** Each time. */
  lasting?: true;
}

export interface SmtpEnvelope {
  /** The reverse path as the client wrote it, without the angle brackets; empty for `<>`. */
  from: string;
  to: string[];
  /** What followed the reverse path, such as `BODY=8BITMIME`, `SMTPUTF8`, `SIZE=123`. */
  parameters: string[];
}

export interface SinkMessage {
  envelope: SmtpEnvelope;
  /** The message, byte for byte as it was before dot-stuffing. */
  raw: Buffer;
  receivedAt: Date;
}

/** What is known of a conversation at a stage. */
export interface Conversation {
  /** Whom the last MAIL named, whatever was said to it; empty between two messages. */
  sender: string;
  /** At `rcpt`: who is named now. */
  recipient?: string;
  /** At `data`. */
  envelope?: SmtpEnvelope;
  /** At `dot`. */
  message?: SinkMessage;
}

/** What a server does in its conversations. */
export interface SmtpScript {
  /** What EHLO offers. Default: nothing. */
  extensions?: readonly string[];
  /** Ask for these credentials (AUTH PLAIN). Default: none. */
  credentials?: { user: string; pass: string } | undefined;
  /** Other words for the usual. */
  usual?: Partial<Record<Stage, string>>;
  /** The deviation that is due here, if any. */
  next(stage: Stage, now: Conversation): Deviation | undefined | Promise<Deviation | undefined>;
  /** The message is taken: told, and waited for, before that is said. */
  take(message: SinkMessage): void | Promise<void>;
  /** More has come than what is to be answered here: the client did not wait. @param allowed by RFC 2920 */
  ahead?(stage: Stage, allowed: boolean): void;
}
