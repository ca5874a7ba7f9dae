import type { EmailEvent } from '../../../../api/types';
import { type Outcome, TEXTS } from '../texts';

/**
 * A plain sentence for an event, if there is one.
 *
 * @param topic name of the email's topic, if it is known
 */
export function outcomeOf({ type, reason_code: code, bounce }: EmailEvent, topic?: string): Outcome | undefined {
  if (code === 'topic_opted_out' && topic !== undefined) return TEXTS.optedOut(topic);
  return (
    found(TEXTS.reasons, code) ??
    (type === 'bounced' ? found(TEXTS.bounces, bounce?.type) : undefined) ??
    found(TEXTS.events, type)
  );
}

function found(table: Readonly<Record<string, Outcome>>, key: string | null | undefined): Outcome | undefined {
  return key != null && Object.hasOwn(table, key) ? table[key] : undefined;
}
