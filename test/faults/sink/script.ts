/** Where in a conversation the sink is, RFC 5321. `dot`: the whole message has come. */
export type Stage = 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'dot' | 'rset' | 'quit';

/** What the sink does instead of the usual. */
export type Action =
  /** Says this line. After 421 it closes. */
  | { kind: 'say'; line: string }
  /** Says these bytes as they are, one at a time with `apart`. */
  | { kind: 'bytes'; bytes: Buffer; apart?: boolean }
  /** Says it one byte at a time, `every` milliseconds. */
  | { kind: 'trickle'; line: string; every: number }
  /** Says the beginning of a line and closes. */
  | { kind: 'truncate'; line: string }
  /** Says nothing, and closes, resets or waits for ever. */
  | { kind: 'close' | 'reset' | 'silence' }
  /** Says the usual once `released` resolves; at `data` it first takes `bytes` of the message. */
  | { kind: 'hold'; reached: () => void; released: Promise<void>; bytes?: number };

/** One deviation: at this stage, this; once. */
export interface Step {
  stage: Stage;
  action: Action;
  /** At `dot`: whether the message counts as taken, whatever is then said. Default: when 2xx is said, or nothing sensible. */
  taken?: boolean;
}
