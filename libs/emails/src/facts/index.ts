/**
 * The tables from which the package, its documentation and its page come: plain values that import nothing, for a page in
 * the browser or a generator as well.
 */
export { ACCESS_LIMITS } from '../access/limits.js';
export { AUDIENCE_LIMITS } from '../audience/limits.js';
export { DOMAIN_LIMITS } from '../domains/limits.js';
export { ADVICE, type AdviceCode } from '../domains/records/advice.js';
export { EMAIL_LIMITS } from '../emails/limits.js';
export {
  EMAIL_METRICS,
  type EmailMetric,
  METRICS_DIMENSIONS,
  METRICS_GRANULARITIES,
} from '../emails/read/metrics/metrics.js';
export { EMAIL_STATES, type EmailEventType } from '../emails/states/email-states.js';
export { REASON_CODES } from '../emails/states/reason-codes.js';
export { REPORT_SOURCES } from '../emails/states/report-sources.js';
export { REPORTED_KINDS } from '../emails/states/reported-kinds.js';
export { FEEDBACK_LIMITS } from '../feedback/limits.js';
export { ACTIONS, type ActionName } from '../shared/actions/action-names.js';
export { ALARM_CODES, type AlarmCode } from '../shared/alarms/alarm-codes.js';
export { allows, PAGE_ROLES, type PageRole } from '../shared/callers/page-roles.js';
export { API_ERRORS, type ApiErrorName, HEADERS_OF_ERRORS, HEADERS_OF_NAMES } from '../shared/errors/api-errors.js';
export { LIMITS, type Limit, type Limits } from '../shared/limits.js';
export { TEMPLATE_LIMITS } from '../templates/limits.js';
export { TEST_EVENT_TYPES, WEBHOOK_EVENTS, type WebhookEventType } from '../webhooks/endpoints/event-types.js';
export { WEBHOOK_LIMITS } from '../webhooks/limits.js';
