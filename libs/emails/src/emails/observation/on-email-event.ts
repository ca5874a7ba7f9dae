import { SetMetadata } from '@nestjs/common';
import { EMAIL_STATES, type RecordedEventType } from '../states/email-states.js';

/** The name of an event, as in webhooks; `*`: every event. */
export type EmailEventName = `email.${RecordedEventType}` | '*';

const KNOWN: ReadonlySet<string> = new Set(['*', ...Object.keys(EMAIL_STATES).map((type) => `email.${type}`)]);

const ON_EMAIL_EVENT = Symbol('nestjs-emails on email event');

/**
 * Calls the method with each `EmailEvent` of these types, once the transaction that recorded it was committed, in the process
 * that recorded it. At most once: a process that dies between the commit and this call does not call it. An error of the
 * method is logged by its kind and harms no other listener. For providers and controllers of the default scope.
 *
 * @throws Error for a name that is no event
 * @example
 * ```ts
 * @Injectable()
 * export class BounceAlarm {
 *   @OnEmailEvent('email.bounced')
 *   warn({ emailId, recipient }: EmailEvent): void {
 *     console.warn(`${emailId} bounced at ${recipient}.`);
 *   }
 * }
 * ```
 */
export function OnEmailEvent(...names: readonly EmailEventName[]): MethodDecorator {
  const unknown = names.find((name) => !KNOWN.has(name));
  if (names.length === 0 || unknown !== undefined) {
    throw new Error(`\`@OnEmailEvent\` takes names such as \`email.bounced\`, or \`*\` (got ${unknown ?? 'none'}).`);
  }
  return SetMetadata(ON_EMAIL_EVENT, names);
}

/** The events of a method; undefined if it handles none. */
export function eventsOf(method: object): readonly EmailEventName[] | undefined {
  return Reflect.getMetadata(ON_EMAIL_EVENT, method);
}
