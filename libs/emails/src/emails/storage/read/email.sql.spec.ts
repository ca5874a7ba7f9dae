import { CONTENTS, PAGE_NEWER, PAGE_OLDER, pageOf } from './email.sql.js';
import { filteredEmails, pathOfEmails } from './filters.sql.js';

const SPAN = { direction: 'older', start: null, end: null } as const;
const filtered = (columns: 'all' | 'summary') =>
  pageOf(filteredEmails(pathOfEmails([], undefined, SPAN), SPAN), 'DESC', columns);

/** PostgreSQL reads a text out of line only where a statement names its column. */
const BODY = /\be\.(html|text)\b/;

it.each([
  ['a page of older emails', PAGE_OLDER],
  ['a page of newer emails', PAGE_NEWER],
  ['a filtered page', { all: filtered('all'), summary: filtered('summary') }],
  ['contents', CONTENTS],
])('%s names the bodies, and its summary does not', (_, { all, summary }) => {
  expect(all).toMatch(BODY);
  expect(summary).not.toMatch(BODY);
});
