/** A message as it reached the next hop. */
export interface JudgedMessage {
  /** Unique among the messages of a judgement. */
  name: string;
  /** With CR LF. */
  raw: Buffer;
  /** Reverse-path, without angle brackets. */
  from: string;
  /** The recipient. */
  to: string;
}

/** The word of a verifier on one signature, in the order of the message. */
export interface SignatureVerdict {
  /** `d=` */
  domain: string;
  /** `s=` */
  selector: string;
  isValid: boolean;
}

/** Verdicts by the name of the message. */
export type SignatureVerdicts = ReadonlyMap<string, readonly SignatureVerdict[]>;

/**
 * The server from which a judge got the message. Any public address does: nothing connects to it, and addresses for
 * documentation (RFC 5737) cost points.
 */
export const SENDING_SERVER = { name: 'mail.relay.test', address: '93.184.216.34' };

/** A message with the fields that the server of a recipient puts in front of it (RFC 5321 section 4.4). */
export function asReceived({ raw, from, to }: JudgedMessage, now = new Date()): Buffer {
  const { name, address } = SENDING_SERVER;
  const trace =
    `Return-Path: <${from}>\r\n` +
    `Received: from ${name} (${name} [${address}])\r\n` +
    `\tby mx.to.test (Postfix) with ESMTPS id 4ABCDE0001\r\n` +
    `\tfor <${to}>; ${now.toUTCString().replace('GMT', '+0000')}\r\n`;
  return Buffer.concat([Buffer.from(trace), raw]);
}

/** The same with the line ends of files. */
export const withUnixLines = (raw: Buffer): Buffer =>
  Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
