import type { Threat } from '../guard.js';

const BROWSERS = 'hostile-browsers.once.e2e-spec.ts';
const HEADERS = 'may run nothing and share nothing: %s, %d, %s';
const CONFIGURE = 'configure-http.ts';
const PAGE = 'page.part.ts';
const PAGE_TESTS = 'page.part.spec.ts';
const PAGE_ALONE = 'lets the page load from this server alone, and forbids frames around it';

export const answers: Threat = {
  title: 'Answers that a browser runs or shares',
  guards: [
    {
      guard: '`x-powered-by`',
      suite: BROWSERS,
      test: HEADERS,
      edits: [[CONFIGURE, "app.disable('x-powered-by');", '']],
    },
    {
      guard: 'sniffing, scripts, frames and embedding',
      suite: BROWSERS,
      test: HEADERS,
      edits: [[CONFIGURE, 'securityHeaders, collapseSlashes', 'collapseSlashes']],
    },
    {
      guard: 'other origins',
      suite: BROWSERS,
      test: HEADERS,
      edits: [[CONFIGURE, "app.disable('etag');", "app.disable('etag');\n  app.enableCors();"]],
    },
    {
      guard: 'emails of the inbox that are shown in place of being saved',
      suite: BROWSERS,
      test: 'gets an email from the inbox as a file, and does not render it',
      edits: [
        [
          'inbox.controller.ts',
          "type: 'message/rfc822',\n      disposition: `attachment; ",
          "type: 'text/html',\n      disposition: `inline; ",
        ],
      ],
    },
    {
      guard: 'the inbox for callers from elsewhere',
      suite: 'loopback.guard.spec.ts',
      test: 'refuses %s',
      edits: [['loopback.guard.ts', 'if (!local || ', 'if (']],
    },
    {
      guard: 'the inbox for pages whose name was made to lead here',
      suite: BROWSERS,
      test: 'finds no inbox when it calls with %j',
      edits: [['loopback.guard.ts', ' || !called', '']],
    },
    {
      guard: 'the page without a policy',
      suite: PAGE_TESTS,
      test: PAGE_ALONE,
      edits: [[PAGE, "if (!file) response.setHeader('content-security-policy', PAGE_POLICY);", '']],
    },
    {
      guard: 'scripts in the page that are not its own',
      suite: PAGE_TESTS,
      test: PAGE_ALONE,
      edits: [[PAGE, '"script-src \'self\'"', "\"script-src 'self' 'unsafe-inline' https:\""]],
    },
    {
      guard: 'the page in a frame of another',
      suite: PAGE_TESTS,
      test: PAGE_ALONE,
      edits: [[PAGE, '  "frame-ancestors \'none\'",\n', '']],
    },
    {
      guard: 'caches that keep the page',
      suite: PAGE_TESTS,
      test: 'is not cached, except files with a hash in the name',
      edits: [
        [PAGE, "HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-store'", "'public, max-age=31536000'"],
      ],
    },
    {
      guard: 'windows of other origins that hold the page',
      suite: PAGE_TESTS,
      test: 'has its declared type, and is closed to other origins',
      edits: [[PAGE, "  response.setHeader('cross-origin-opener-policy', 'same-origin');\n", '']],
    },
    {
      guard: 'caches that keep what the page is answered',
      suite: 'answers.spec.ts',
      test: 'is not cached, and has its declared type',
      edits: [['http/answers.ts', "  response.setHeader('cache-control', 'no-store');\n", '']],
    },
  ],
};
