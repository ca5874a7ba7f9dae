import { ApiError } from '../../../shared/errors/api-error.js';
import { isUuid } from '../../../shared/text/is-uuid.js';
import type { Subscription } from '../../topics/subscription.js';
import { SUBSCRIPTIONS } from '../../topics/subscription.js';
import type { FormFields } from './form-fields.js';

/** The change that a form asks for. */
export type AskedChange =
  | { kind: 'one_click' }
  | { kind: 'all' }
  | { kind: 'topic'; topicId: string; subscription: Subscription };

/**
 * `List-Unsubscribe=One-Click` (RFC 8058 section 3.1), `all=1`, or `topic` with `choice`, which is `opt_out` by default.
 *
 * @throws ApiError 422 for any other form
 */
export function askedChange(fields: FormFields): AskedChange {
  const textOf = (name: string) => fields.find(([one]) => one.toLowerCase() === name)?.[1].trim();
  if (textOf('list-unsubscribe')?.toLowerCase() === 'one-click') return { kind: 'one_click' };
  if (textOf('all') === '1') return { kind: 'all' };
  const [topicId, choice = 'opt_out'] = [textOf('topic'), textOf('choice')];
  const subscription = SUBSCRIPTIONS.find((one) => one === choice);
  if (isUuid(topicId) && subscription) return { kind: 'topic', topicId: topicId.toLowerCase(), subscription };
  throw ApiError.invalid('The form must have `List-Unsubscribe=One-Click`, `all=1`, or `topic` with `choice`.');
}
