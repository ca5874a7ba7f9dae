import type { Threat } from '../guard.js';

const BOARD = 'queue-board.ts';

export const operators: Threat = {
  title: 'Metrics and queues for others than operators',
  guards: [
    {
      guard: 'whoever has no `ADMIN_TOKEN`',
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
      test: '%s is closed to whoever has no ADMIN_TOKEN',
      edits: [[BOARD, '      await access.require(request);\n', '']],
    },
    {
      guard: 'to do anything to a queue by the board, as a page could make a browser do',
      suite: 'queue-board.e2e-spec.ts',
      test: 'is for looking: nothing can be done with it',
      edits: [[BOARD, "      if (request.method !== 'GET') throw ApiError.methodNotAllowed(['GET']);\n", '']],
    },
  ],
};
