/** Stage of an SMTP session, RFC 5321. `auth`: the login is right. `dot`: the whole message has arrived. */
export type Stage = 'greeting' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot' | 'rset' | 'quit';

/** A server's deviation from its default. */
export type Action =
  /** Sends this line. After 421, and with `last`, it closes. */
  | { kind: 'say'; line: string; last?: boolean }
  /** Sends these bytes unchanged, one at a time with `apart`. With `last` it closes. */
  | { kind: 'bytes'; bytes: Buffer; apart?: boolean; last?: boolean }
  /** Omits the reply, and continues as if it had sent the default. */
  | { kind: 'skip' }
  /** Sends it one byte at a time, `every` milliseconds. */
  | { kind: 'trickle'; line: string; every: number }
  /** Sends the beginning of a line and closes. */
  | { kind: 'truncate'; line: string }
  /** Sends nothing, and closes gracefully, closes at once, resets or hangs. */
  | { kind: 'close' | 'drop' | 'reset' | 'silence' }
  /** Sends the default once `released` resolves; at `data` it first reads `bytes` of the message. */
  | { kind: 'hold'; reached: () => void; released: Promise<void>; bytes?: number };

/** Action at a stage. */
export interface Deviation {
  action: Action;
  /**
   * At `dot`: whether the message counts as accepted, independent of the reply. Default: for 2xx, or an invalid reply.
   */
  taken?: boolean;
}

/** One deviation at a stage, once. */
export interface Step extends Deviation {
  stage: Stage;
  /** Each time. */
  lasting?: true;
}

export interface SmtpEnvelope {
  /** The client's reverse path, without the angle brackets; empty for `<>`. */
  from: string;
  to: string[];
  /** Parameters after the reverse path, such as `BODY=8BITMIME`, `SMTPUTF8`, `SIZE=123`. */
  parameters: string[];
}

export interface SinkMessage {
  envelope: SmtpEnvelope;
  /** The exact message before dot-stuffing. */
  raw: Buffer;
  receivedAt: Date;
}

/** State of a session at a stage. */
export interface Conversation {
  /** Sender of the last MAIL, whatever the reply; empty between two messages. */
  sender: string;
  /** At `rcpt`: the named recipient. */
  recipient?: string;
  /** At `data`. */
  envelope?: SmtpEnvelope;
  /** At `dot`. */
  message?: SinkMessage;
}

/** A server's behaviour in its sessions. */
export interface SmtpScript {
  /** Extensions that EHLO offers. Default: none. */
  extensions?: readonly string[];
  /** Ask for these credentials (AUTH PLAIN). Default: none. */
  credentials?: { user: string; pass: string } | undefined;
  /** Other texts of the default replies. */
  usual?: Partial<Record<Stage, string>>;
  /** The deviation that is due here, if any. */
  next(stage: Stage, now: Conversation): Deviation | undefined | Promise<Deviation | undefined>;
  /** Called and awaited with an accepted message before the reply. */
  take(message: SinkMessage): void | Promise<void>;
  /**
   * Called when more commands arrived than the one to be answered: the client did not wait.
   *
   * @param allowed by RFC 2920
   */
  ahead?(stage: Stage, allowed: boolean): void;
}
