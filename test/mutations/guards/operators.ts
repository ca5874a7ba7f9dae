import type { Threat } from '../guard.js';

const BOARD = 'queue-board.ts';
const PAGE = 'operations.part.ts';
const PAGE_HTTP = 'dashboard-operations.once.e2e-spec.ts';
const BESIDES = 'is for signed-in visitors with the token of operators';
const SESSIONS = 'operator-sessions.ts';
const SESSIONS_TESTS = 'operator-sessions.spec.ts';
const OF_TOKEN = 'claims?.keyId === `operator ${tokenId}`';

export const operators: Threat = {
  title: 'Metrics and queues for others than operators',
  guards: [
    {
      guard: 'requests without the `ADMIN_TOKEN`',
      suite: 'admin-access.spec.ts',
      test: 'refuses and counts %s',
      edits: [
        [
          'admin-access.ts',
          'if (token !== undefined && timingSafeEqual(digestOf(token), this.digest)) return;',
          'if (token !== undefined) return;',
        ],
      ],
    },
    {
      guard: 'metrics for a full-access API key',
      suite: 'metrics.once.e2e-spec.ts',
      test: 'is closed to %s',
      edits: [['metrics.controller.ts', '@UseGuards(AdminGuard)\n', '']],
    },
    {
      guard: 'the queue board without `ADMIN_TOKEN`',
      suite: 'queue-board.e2e-spec.ts',
      test: '%s is closed without the ADMIN_TOKEN',
      edits: [[BOARD, '      await access.require(request);\n', '']],
    },
    {
      guard: 'to do anything to a queue by the board, as a page could make a browser do',
      suite: 'queue-board.e2e-spec.ts',
      test: 'is read-only',
      edits: [[BOARD, "      if (request.method !== 'GET') throw ApiError.methodNotAllowed(['GET']);\n", '']],
    },
    {
      guard: 'health and queue in the page without `ADMIN_TOKEN`',
      suite: PAGE_HTTP,
      test: BESIDES,
      edits: [[PAGE, 'else if (!(await this.sessions.isOpen(request, this.operations.tokenId))) throw refuse();', '']],
    },
    {
      guard: 'health and queue in the page for who is not signed in',
      suite: PAGE_HTTP,
      test: BESIDES,
      edits: [[PAGE, "await this.visitors.admit(request, response, isChange ? 'admin' : 'viewer');", '']],
    },
    {
      guard: 'pauses by the page without `ADMIN_TOKEN`',
      suite: PAGE_HTTP,
      test: 'pauses and resumes, and shows what would leave before',
      edits: [
        [
          PAGE,
          '    if (!(await this.sessions.isOpen(request, this.operations.tokenId))) throw refuse();\n    if (!',
          '    if (!',
        ],
      ],
    },
    {
      guard: 'pauses by a person with a lower role on the page',
      suite: PAGE_HTTP,
      test: 'lets only an admin pause, whatever the token of operators',
      edits: [[PAGE, "isChange ? 'admin' : 'viewer'", "'viewer'"]],
    },
    {
      guard: '`ADMIN_TOKEN` that is guessed at the page',
      suite: PAGE_HTTP,
      test: 'counts wrong tokens',
      edits: [['operators-report.ts', 'await this.get(FailedKeysService).count(remoteAddress);', '']],
    },
    {
      guard: "operators' sessions of a token that was replaced",
      suite: SESSIONS_TESTS,
      test: 'belong to the token that opened them',
      edits: [[SESSIONS, OF_TOKEN, "claims?.keyId.startsWith('operator ')"]],
    },
    {
      guard: "sessions of the page that pass for operators'",
      suite: SESSIONS_TESTS,
      test: 'are not accepted as a session of the page under any name',
      edits: [[SESSIONS, OF_TOKEN, 'claims !== undefined']],
    },
    {
      guard: "operators' sessions that pass for those of the page",
      suite: PAGE_HTTP,
      test: 'is no session of the page',
      edits: [['key-lookup.service.ts', 'if (!isUuid(id)) return null;', '']],
    },
    {
      guard: 'ended sessions of operators, by a copied cookie',
      suite: SESSIONS_TESTS,
      test: 'end at once, also for a copied cookie',
      edits: [[SESSIONS, ' && !(await this.ended.has(claims))', '']],
    },
    {
      guard: 'the queue board by way of the page, past a proxy that blocks its path',
      suite: PAGE_HTTP,
      test: 'is not the queue board, past a proxy that blocks its path',
      edits: [['api-handover.ts', 'if (!this.routes.answer(request)) request.url = url;', '']],
    },
    {
      guard: "operators' sessions of more than an hour",
      suite: SESSIONS_TESTS,
      test: 'last an hour',
      edits: [[SESSIONS, 'idleUntil: Date.now() + LIFETIME', 'idleUntil: claims.endsAt']],
    },
  ],
};
