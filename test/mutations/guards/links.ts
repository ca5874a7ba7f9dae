import type { Threat } from '../guard.js';

const LINKS = 'links.spec.ts';
const OVER_HTTP = 'links.once.e2e-spec.ts';

export const links: Threat = {
  title: 'Links that are forged, kept, or opened in a browser',
  guards: [
    {
      guard: 'links that nobody has signed',
      suite: LINKS,
      test: 'are invalid after a change of a single bit or character',
      edits: [['link-token.ts', ' || !isSigned', '']],
    },
    {
      guard: 'links that are too old',
      suite: LINKS,
      test: 'expire',
      edits: [['links.ts', ' || target.expiresAt <= Date.now()', '']],
    },
    {
      guard: 'accounts that a link would tell',
      suite: LINKS,
      test: 'do not reveal the account',
      edits: [
        [
          'link-token.ts',
          "return createHmac('sha256', key).update('account ').update(accountId).digest().subarray(0, MARK);",
          'return Buffer.alloc(MARK, accountId);',
        ],
      ],
    },
    {
      guard: 'tokens of links in logs',
      suite: 'request-logging.spec.ts',
      test: 'logs no data of a caller: %s %s',
      edits: [['request-logging.ts', "if (typeof pattern === 'string') {", "if (typeof pattern === 'number') {"]],
    },
    {
      guard: 'files of links that a browser shows',
      suite: OVER_HTTP,
      test: 'serve its bytes as a download, which a browser does not render',
      edits: [
        [
          'send-file.ts',
          "contentDisposition(file.filename ?? 'attachment')",
          "contentDisposition(file.filename ?? 'attachment', { type: 'inline' })",
        ],
      ],
    },
    {
      guard: 'html of a shared email that has an origin',
      suite: OVER_HTTP,
      test: 'show it on a page that runs nothing, its html in a frame without an origin',
      edits: [['share-page.ts', "'sandbox allow-popups allow-popups-to-escape-sandbox',", '']],
    },
    {
      guard: 'markup in the subject of a shared email',
      suite: OVER_HTTP,
      test: 'show it on a page that runs nothing, its html in a frame without an origin',
      edits: [['share-page.ts', ".replaceAll('<', '&lt;')", '']],
    },
  ],
};
