import { type Field, fieldValue } from './fields.js';

/** Names under which programs report. */
export const DAEMON =
  /\bmailer-?daemon\b|\bpost_?master\b|\bmail delivery (?:system|subsystem|service)\b|\bmdaemon\b|\bmail(?: |-)?system\b|\bmail administrator\b|\bmailerdaemon\b|\bdelivery[-. ](?:subsystem|status|notification)|\bbounce[sd]?\b|\bsystem administrator\b|\bmicrosoft exchange\b/i;

/** True if a program that delivers mail wrote the message. */
export function isFromDaemon(headers: readonly Field[]): boolean {
  return DAEMON.test(`${fieldValue(headers, 'from') ?? ''} ${fieldValue(headers, 'sender') ?? ''}`);
}
