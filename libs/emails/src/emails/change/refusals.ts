import { ApiError } from '../../shared/errors/api-error.js';
import type { EmailEventType } from '../states/email-states.js';
import type { Obstacle } from '../storage/deliver/change.repository.js';

/** State of an email that was not changed. */
export interface Standing {
  lastEvent: EmailEventType;
  obstacle: Obstacle | null;
}

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  'under way': 'An attempt to send this email is under way.',
  unclear: 'An attempt to send this email ended without an answer, so that it may have been sent.',
  sent: 'This email was sent to some of its recipients.',
};

/** Why an email in this state is not canceled. */
export function notCanceled({ lastEvent, obstacle }: Standing): ApiError {
  return ApiError.invalid(
    obstacle
      ? `${OBSTACLES[obstacle]} It cannot be canceled.`
      : `Only a scheduled email, or a delayed one, can be canceled; this one is \`${lastEvent}\`.`,
  );
}

/** Why it is not rescheduled. */
export function notRescheduled({ lastEvent }: Standing): ApiError {
  return ApiError.invalid(`Only a scheduled email can be rescheduled; this one is \`${lastEvent}\`.`);
}

/** Why it is not tried again. */
export function notRetried({ lastEvent, obstacle }: Standing): ApiError {
  return ApiError.invalid(
    obstacle ? OBSTACLES[obstacle] : `Only a delayed email can be tried again; this one is \`${lastEvent}\`.`,
  );
}
