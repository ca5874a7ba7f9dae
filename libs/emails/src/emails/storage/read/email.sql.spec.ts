import { CONTENTS, PAGE_NEWER, PAGE_OLDER } from './email.sql.js';
import { filteredPage, pathOfEmails } from './filters.sql.js';

const SPAN = { direction: 'older', start: null, end: null } as const;
const filtered = (columns: 'all' | 'summary') => filteredPage(pathOfEmails([], undefined, SPAN), SPAN, columns);

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
