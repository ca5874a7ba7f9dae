import type { Threat } from '../guard.js';

const BROWSERS = 'hostile-browsers.once.e2e-spec.ts';
const HEADERS = 'is told to run nothing and to share nothing: %s, %d, %s';
const CONFIGURE = 'configure-http.ts';

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
      test: 'gets an email from the inbox as a file, and shows nothing of it',
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
      test: 'has nothing for %s',
      edits: [['loopback.guard.ts', 'if (!local || ', 'if (']],
    },
    {
      guard: 'the inbox for pages whose name was made to lead here',
      suite: BROWSERS,
      test: 'finds no inbox when it calls with %j',
      edits: [['loopback.guard.ts', ' || !called', '']],
    },
  ],
};
