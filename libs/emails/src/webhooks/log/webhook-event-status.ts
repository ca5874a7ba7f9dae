/**
 * State of an event's delivery: `pending` before the first attempt, `attempting` after a failure with more attempts to
 * come.
 */
export type WebhookEventStatus = 'pending' | 'attempting' | 'success' | 'failed';

export const WEBHOOK_EVENT_STATUSES: readonly WebhookEventStatus[] = ['pending', 'attempting', 'success', 'failed'];

export const WEBHOOK_EVENT_ID = /^msg_[0-9A-Za-z]{27}$/;
export const WEBHOOK_ATTEMPT_ID = /^atmpt_[0-9A-Za-z]{27}$/;
