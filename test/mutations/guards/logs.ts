import type { Threat } from '../guard.js';

const LOGGING = 'apps/host/src/logging';
const LOGS = 'test/e2e/logs.e2e-spec.ts';

export const logs: Threat = {
  title: 'Content and secrets in logs, jobs and answers',
  guards: [
    {
      guard: 'what errors of PostgreSQL, SMTP servers and parsers quote',
      suite: `${LOGGING}/describe-error.spec.ts`,
      test: 'leaves out what %s quotes',
      edits: [[`${LOGGING}/describe-error.ts`, '!quotesValues(error) &&', '']],
    },
    {
      guard: 'paths with ids or addresses in them',
      suite: `${LOGGING}/request-logging.spec.ts`,
      test: 'writes nothing of a caller: %s %s',
      edits: [
        [`${LOGGING}/request-logging.ts`, "if (typeof pattern === 'string')", "if (typeof pattern === 'number')"],
        [
          `${LOGGING}/request-logging.ts`,
          "return segment === undefined ? '(unknown)' : `/${segment}`;",
          'return segment ?? request.originalUrl;',
        ],
      ],
    },
    {
      guard: 'request ids that a caller chose',
      suite: `${LOGGING}/request-logging.spec.ts`,
      test: 'writes method, pattern, status, time and an id of ours that the answer carries',
      edits: [
        [
          `${LOGGING}/request-logging.ts`,
          'const requestId = randomUUID();',
          "const requestId = String(request.headers['x-request-id'] ?? randomUUID());",
        ],
      ],
    },
    {
      guard: 'objects that are logged whole',
      suite: `${LOGGING}/pino-logger.service.spec.ts`,
      test: 'does not write objects out',
      edits: [[`${LOGGING}/pino-logger.service.ts`, "'No text.'", 'JSON.stringify(message)']],
    },
    {
      guard: 'messages of errors that nobody thought of',
      suite: LOGS,
      test: 'when the host fails in a way that nobody thought of',
      edits: [
        [
          'libs/emails/src/shared/http/api-error.filter.ts',
          'return ApiError.bug();\n  }\n}',
          "return new ApiError(500, 'application_error', String(exception));\n  }\n}",
        ],
      ],
    },
    {
      guard: 'anything but an id in a job',
      suite: 'libs/emails/src/emails/queue/delivery-queue.spec.ts',
      test: 'gives jobs the id of the email and nothing else',
      edits: [['libs/emails/src/emails/queue/delivery-queue.ts', 'data: { emailId, ', 'data: { emailId, fence, ']],
    },
  ],
};
