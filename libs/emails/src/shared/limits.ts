/** One bound, as a row of the contract, section 6. */
export interface Limit {
  /** Completes "At most … of". */
  of: string;
  max: number;
  /** Unit. Sizes are bytes, times milliseconds. */
  unit: 'characters' | 'bytes' | 'bytes a second' | 'milliseconds' | 'at once' | 'times a minute' | 'in number';
  /** The status, or another consequence. Default: 422. */
  beyond?: string;
}

/** Limits by name. */
export type Limits = Readonly<Record<string, Readonly<Limit>>>;

const WAITS = 'waits for room';

/** Limits of every module. */
export const LIMITS = {
  mailboxes: { of: 'mailboxes in each field', max: 50, unit: 'in number' },
  subject: { of: 'a subject', max: 998, unit: 'characters' },
  variables: { of: 'variables of a template', max: 50, unit: 'in number' },
  variableName: { of: 'the name of a variable', max: 50, unit: 'characters' },
  variableText: { of: 'the value of a variable, and its fallback', max: 2_000, unit: 'characters' },
  idempotencyKey: { of: 'an `Idempotency-Key`', max: 256, unit: 'characters', beyond: '400' },
  body: { of: 'a body, except of `POST /emails` and a batch', max: 1_000_000, unit: 'bytes', beyond: '413' },
  bodyDepth: { of: 'levels of JSON in a body', max: 32, unit: 'in number', beyond: '400' },
  bodyValues: {
    of: 'values in a body; a file in `content` is one',
    max: 20_000,
    unit: 'in number',
    beyond: '400',
  },
  batchValues: { of: 'values in the body of a batch', max: 50_000, unit: 'in number', beyond: '400' },
  smallBody: { of: 'a body or an answer that needs no room', max: 64_000, unit: 'bytes', beyond: WAITS },
  mediumBody: {
    of: 'a body that counts among the medium ones',
    max: 1_000_000,
    unit: 'bytes',
    beyond: 'counts among the large ones',
  },
  mediumBodies: { of: 'memory for medium bodies', max: 80_000_000, unit: 'bytes', beyond: WAITS },
  largeBodies: {
    of: 'memory for large bodies, or for one of them with a larger limit',
    max: 60_000_000,
    unit: 'bytes',
    beyond: WAITS,
  },
  wait: { of: 'waiting for room or a turn', max: 30_000, unit: 'milliseconds', beyond: '503' },
  waiting: {
    of: 'requests that wait for room: medium bodies, templates, lists of contacts and templates',
    max: 4_000,
    unit: 'at once',
    beyond: '503',
  },
  waitingOfAccount: { of: 'the same, of one account', max: 1_000, unit: 'at once', beyond: '503' },
  waitingLarge: {
    of: 'requests that wait for room for a large body or template',
    max: 60,
    unit: 'at once',
    beyond: '503',
  },
  waitingLargeOfAccount: { of: 'the same, of one account', max: 20, unit: 'at once', beyond: '503' },
  waitingAnswers: { of: 'other answers that wait for room', max: 100, unit: 'at once', beyond: '503' },
  waitingAnswersOfAccount: { of: 'the same, of one account', max: 25, unit: 'at once', beyond: '503' },
  pause: {
    of: 'a pause of an upload or a reader while others wait',
    max: 5_000,
    unit: 'milliseconds',
    beyond: '503, or cut off',
  },
  slowest: {
    of: 'the slowest upload or reader while others wait',
    max: 500_000,
    unit: 'bytes a second',
    beyond: '503, or cut off, when it is slower',
  },
  brisk: {
    of: 'the same, once another request has waited for 10 s',
    max: 2_000_000,
    unit: 'bytes a second',
    beyond: '503, or cut off, when it is slower',
  },
  redirects: { of: 'redirects of the fetch of an attachment', max: 3, unit: 'in number' },
  page: { of: 'objects on a page of a list', max: 100, unit: 'in number' },
  wholeList: { of: 'objects where a list gives all', max: 1_000, unit: 'in number', beyond: '`has_more: true`' },
  pageBytes: {
    of: 'a page of contacts, templates or API keys, of one object at least',
    max: 5_000_000,
    unit: 'bytes',
    beyond: '`has_more: true`',
  },
  emailLists: { of: 'memory for pages of emails', max: 100_000_000, unit: 'bytes', beyond: WAITS },
  emailSources: { of: 'memory for emails as messages', max: 100_000_000, unit: 'bytes', beyond: WAITS },
  resourceLists: { of: 'memory for pages of contacts and templates', max: 40_000_000, unit: 'bytes', beyond: WAITS },
  otherAnswers: { of: 'memory for all other answers', max: 40_000_000, unit: 'bytes', beyond: WAITS },
} satisfies Limits;
