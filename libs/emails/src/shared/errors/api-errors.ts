import { LIMITS } from '../limits.js';

const { bodyDepth, bodyValues, batchValues, idempotencyKey } = LIMITS;

/** Every name of an error, with its statuses and causes: the table of the contract, section 1. */
export const API_ERRORS = {
  invalid_idempotency_key: {
    400: `the \`Idempotency-Key\` is empty or longer than ${idempotencyKey.max} characters`,
  },
  validation_error: {
    400:
      'a request of HTTP/1.1 has not exactly one `Host`; the path is no percent-encoded UTF-8; the body is not JSON, not an ' +
      `object (of a batch: an array), not UTF-8, ends early, is nested deeper than ${bodyDepth.max} levels or has more ` +
      `than ${bodyValues.max.toLocaleString('en')} values (of a batch: ${batchValues.max.toLocaleString('en')}); one ` +
      'of more than 1 MB has a key or a number of more than 1,024 bytes',
    403: 'an account has the domain already; the domain of `from` is not verified (`from: verified`)',
    413: 'the body is over the limit',
    415: 'the body is not `application/json`, or is compressed',
    416: "a `Range` of a link's file has nothing in it",
    422: 'any other rule is broken: the message names the field and says what would be right',
  },
  missing_api_key: { 401: 'there is no bearer token' },
  invalid_api_key: {
    401: 'the token is unknown, malformed or revoked; the message has the words "API key is invalid", which programs look for',
  },
  restricted_api_key: {
    401: 'a `sending_access` token is used for anything but sending, a token with a `page_role` for anything but the page',
    403: 'a token that is bound to a domain is used for another one, or its domain was deleted',
  },
  invalid_access: {
    401: 'a link that signs in to the page has been used, or is too old; the report of a relay lacks a valid proof',
    403: 'a guard of the host refused; the role of a person does not allow it; a link is not valid or has expired',
  },
  not_found: { 404: 'the path is unknown, or an id in it' },
  method_not_allowed: { 405: 'the path is known, and has other methods' },
  invalid_idempotent_request: { 409: 'the idempotency key was used with another request' },
  missing_required_field: { 422: 'a required field is absent' },
  invalid_parameter: { 422: 'an id in the path is not a UUID' },
  invalid_region: { 422: 'the region of a domain is none of those that clients know' },
  invalid_attachment: {
    422: 'an attachment has neither `content` nor `path`, or its `path` could not be fetched safely',
  },
  daily_quota_exceeded: { 429: 'the recipients are more than the account may still send to today (UTC)' },
  monthly_quota_exceeded: { 429: 'the same for this month (UTC)' },
  rate_limit_exceeded: { 429: 'there are too many requests' },
  application_error: {
    500: 'a bug: no input may cause it',
    503:
      'the database cannot be reached, it or a policy of the host does not answer in time, or there is no room for another ' +
      'large request. The message says whether nothing was accepted, or whether that is not known; asking again with the same idempotency key is safe',
  },
} satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;

/** The name of an error. */
export type ApiErrorName = keyof typeof API_ERRORS;

/** All of them. */
export const API_ERROR_NAMES = Object.keys(API_ERRORS) as ApiErrorName[];

/** Headers of every error with this status, in addition to those of all answers. */
export const HEADERS_OF_ERRORS: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
  503: ['retry-after'],
};

/** Headers of every error with this name, in addition to those of its status. */
export const HEADERS_OF_NAMES: Readonly<Partial<Record<ApiErrorName, readonly string[]>>> = {
  rate_limit_exceeded: ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
};
