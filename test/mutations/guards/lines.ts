import type { Threat } from '../guard.js';

const LINES = 'hostile-lines.once.e2e-spec.ts';
const HEADERS = 'send-headers.e2e-spec.ts';
const MEDIA_TYPES = 'media-type';
const HEADER_TEXT = 'header-text.ts';
const HEADERS_RULE = 'is-headers.ts';
const RENDERER = 'template-renderer';

export const lines: Threat = {
  title: 'Text that becomes a line, a header or a message of its own',
  guards: [
    {
      guard: 'control characters in subjects and header values',
      suite: LINES,
      test: 'starts a line with a %s',
      edits: [[HEADER_TEXT, 'if (hasControl(value))', "if (value === '\\r')"]],
    },
    {
      guard: 'encoded words in subjects and header values',
      suite: HEADERS,
      test: 'refuse %s',
      edits: [[HEADER_TEXT, 'if (hasEncodedWord(value))', "if (value === '=?')"]],
    },
    {
      guard: 'control and bidi characters in names and addresses',
      suite: 'mailbox.spec.ts',
      test: 'refuses %s',
      edits: [['mailbox.ts', 'if (!isOneCleanLine(trimmed))', "if (trimmed === '\\r')"]],
    },
    {
      guard: 'header names that are more than a name',
      suite: HEADERS,
      test: 'refuse %s',
      edits: [[HEADERS_RULE, '/^[!-9;-~]{1,997}$/', '/^[^]*$/']],
    },
    {
      guard: 'header fields that the system owns',
      suite: HEADERS,
      test: 'refuse `%s`: the system owns it',
      edits: [[HEADERS_RULE, 'if (OWNED.test(name))', "if (name === '')"]],
    },
    {
      guard: 'paths, control and bidi characters in filenames',
      suite: `${MEDIA_TYPES}.spec.ts`,
      test: 'refuses %j',
      edits: [[`${MEDIA_TYPES}.ts`, '    isOneCleanLine(value) &&\n', '']],
    },
    {
      guard: 'content types with parameters that are not well-formed',
      suite: `${MEDIA_TYPES}.spec.ts`,
      test: 'refuses %j',
      edits: [[`${MEDIA_TYPES}.ts`, '=(?:${VALUE}))*)$`', '=[^;]*)*)$`']],
    },
    {
      guard: 'content ids that would need quoting',
      suite: 'content-id.spec.ts',
      test: 'refuses %j',
      edits: [['content-id.ts', '/^[\\w.@+-]{1,128}$/', '/^[^]+$/']],
    },
    {
      guard: 'line breaks from template variables in a subject',
      suite: `${RENDERER}.spec.ts`,
      test: 'refuses %j in a subject',
      edits: [[`${RENDERER}.ts`, 'hasControl(subject)', "subject === '\\r'"]],
    },
    {
      guard: 'control characters in text that is derived from html',
      suite: 'html-text.spec.ts',
      test: 'has no control characters but tabs and line breaks',
      edits: [['html-text.ts', "convert(html).replace(CONTROLS, '')", 'convert(html)']],
    },
    {
      guard: 'markup from template variables in html',
      suite: `${RENDERER}.spec.ts`,
      test: 'escapes in html and nowhere else',
      edits: [[`${RENDERER}.ts`, 'fill(template.html, true)', 'fill(template.html)']],
    },
  ],
};
