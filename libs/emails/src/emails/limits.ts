import type { Limits } from '../shared/limits.js';

const WAITS = 'waits for room';

/** Limits of the core. */
export const EMAIL_LIMITS = {
  batch: { of: 'emails of a batch', max: 100, unit: 'in number' },
  headers: { of: '`headers`', max: 100, unit: 'in number' },
  /** RFC 5322 section 2.1.1. */
  headerValue: { of: 'the value of a header', max: 998, unit: 'bytes' },
  /**
   * With `Message-ID: ` far below the 998 octets of a line (RFC 5322 section 2.1.1), also when a reply's thread repeats
   * it.
   */
  messageId: { of: '`message_id`', max: 250, unit: 'characters' },
  tags: { of: '`tags`', max: 75, unit: 'in number' },
  tagText: { of: 'the name of a tag, and its value', max: 256, unit: 'characters' },
  unsubscribeUrls: { of: 'placeholders for the unsubscribe link in an email', max: 100, unit: 'in number' },
  attachments: { of: '`attachments`', max: 1_000, unit: 'in number' },
  attachmentUrl: { of: 'the `path` of an attachment', max: 2_048, unit: 'characters' },
  templateKey: { of: 'the id or alias of a template', max: 255, unit: 'characters' },
  words: {
    of: 'different words of an email by which `search` finds it',
    max: 32,
    unit: 'in number',
    beyond: 'not found by the others',
  },
  wordsOfSubject: {
    of: 'the same, of the subject, if the mailboxes have enough others',
    max: 16,
    unit: 'in number',
    beyond: 'not found by the others',
  },
  searchedWords: { of: 'words of `search`', max: 16, unit: 'in number' },
  metricsIds: { of: 'ids in each filter of metrics', max: 100, unit: 'in number' },
  metricsRows: { of: 'rows of metrics', max: 10_000, unit: 'in number' },
  /** A file of 25 MB as numbers, of up to five bytes each with comma and blank, and a megabyte for the rest. */
  sentBody: { of: 'a body of `POST /emails` or a batch, as it comes', max: 126_000_000, unit: 'bytes', beyond: '413' },
  /** The memory that a message of 40 MB takes. */
  keptBody: {
    of: 'the same, where files in arrays of numbers count as the bytes they hold',
    max: 58_000_000,
    unit: 'bytes',
    beyond: '413',
  },
  message: { of: 'a message after base64', max: 40_000_000, unit: 'bytes' },
  /** A small template can repeat one long value many times. */
  fromTemplate: { of: 'what a template makes of an email', max: 10_000_000, unit: 'characters' },
  fromTemplates: {
    of: 'what templates make for one request, or for all requests that get over 1 MB; the templates count too',
    max: 50_000_000,
    unit: 'bytes',
    beyond: '422; all: waits for room',
  },
  fromSmallTemplates: {
    of: 'what templates make for all requests that get up to 1 MB',
    max: 40_000_000,
    unit: 'bytes',
    beyond: WAITS,
  },
  fetches: {
    of: 'fetches of `path`; half of them of one account',
    max: 16,
    unit: 'at once',
    beyond: 'waits for a turn',
  },
  fetchTime: { of: 'one fetch', max: 10_000, unit: 'milliseconds' },
  fetchTimeOfRequest: {
    of: 'all fetches of a request, waits included',
    max: 30_000,
    unit: 'milliseconds',
    beyond: '422; 503 where it waited',
  },
  urlsOfBatch: { of: 'URLs of a batch', max: 20, unit: 'in number' },
  filesOfBatch: { of: 'fetched files of a batch', max: 80_000_000, unit: 'bytes' },
  fetchedFiles: { of: 'memory for fetched files of up to 1 MB', max: 20_000_000, unit: 'bytes', beyond: WAITS },
  fetchedLargeFiles: { of: 'memory for larger ones', max: 40_000_000, unit: 'bytes', beyond: WAITS },
  pageBytes: {
    of: 'html, text, subjects and mailboxes on a page of emails, of one email at least',
    max: 10_000_000,
    unit: 'bytes',
    beyond: '`has_more: true`',
  },
  downloads: { of: 'downloads by links; half of them of one account', max: 200, unit: 'at once', beyond: WAITS },
  recordedIds: {
    of: '`ids` of a recorded action',
    max: 100,
    unit: 'in number',
    beyond: 'the first; `count` says how many',
  },
  actionIds: { of: '`ids` of an action on many emails', max: 1_000, unit: 'in number' },
  actionEmails: { of: 'emails of an action', max: 100_000, unit: 'in number' },
  actionRefusals: {
    of: 'refusals that an action shows',
    max: 100,
    unit: 'in number',
    beyond: 'the others are only counted',
  },
  changes: { of: 'changes of emails', max: 4, unit: 'at once', beyond: 'waits for a turn' },
} satisfies Limits;
