import { TEXTS } from './texts';

const FAILURES: Readonly<Record<string, string>> = TEXTS.answers.failures;

/** A sentence for the reason why an attempt got no answer; the reason itself if it is not known here. */
export function failureOf(reason: string): string {
  return (Object.hasOwn(FAILURES, reason) && FAILURES[reason]) || reason;
}
