import type { Threat } from '../guard.js';

const BOARD = 'apps/host/src/board/queue-board.ts';

export const operators: Threat = {
  title: 'Metrics and queues for others than operators',
  guards: [
    {
      guard: 'whoever has no `ADMIN_TOKEN`',
      suite: 'apps/host/src/admin/admin-access.spec.ts',
      test: 'refuses and counts %s',
      edits: [
        [
          'apps/host/src/admin/admin-access.ts',
          'if (token !== undefined && timingSafeEqual(digestOf(token), this.digest)) return;',
          'if (token !== undefined) return;',
        ],
      ],
    },
    {
      guard: 'metrics for a full-access API key',
      suite: 'test/e2e/metrics.once.e2e-spec.ts',
      test: 'is closed to %s',
      edits: [['apps/host/src/metrics/metrics.controller.ts', '@UseGuards(AdminGuard)\n', '']],
    },
    {
      guard: 'the queue board without `ADMIN_TOKEN`',
      suite: 'test/e2e/queue-board.e2e-spec.ts',
      test: '%s is closed to whoever has no ADMIN_TOKEN',
      edits: [[BOARD, '      await access.require(request);\n', '']],
    },
    {
      guard: 'to do anything to a queue by the board, as a page could make a browser do',
      suite: 'test/e2e/queue-board.e2e-spec.ts',
      test: 'is for looking: nothing can be done with it',
      edits: [[BOARD, "      if (request.method !== 'GET') throw ApiError.methodNotAllowed(['GET']);\n", '']],
    },
  ],
};
