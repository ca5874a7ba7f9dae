import type { Threat } from '../guard.js';

const LOGS = 'logs.e2e-spec.ts';

export const logs: Threat = {
  title: 'Content and secrets in logs, jobs and answers',
  guards: [
    {
      guard: 'what errors of PostgreSQL, SMTP servers and parsers quote',
      suite: 'describe-error.spec.ts',
      test: 'leaves out quotes of %s',
      edits: [['describe-error.ts', '!quotesValues(error) &&', '']],
    },
    {
      guard: 'paths with ids or addresses in them',
      suite: 'request-logging.spec.ts',
      test: 'logs no data of a caller: %s %s',
      edits: [
        ['request-logging.ts', "if (typeof pattern === 'string')", "if (typeof pattern === 'number')"],
        [
          'request-logging.ts',
          "return segment === undefined ? '(unknown)' : `/${segment}`;",
          'return segment ?? request.originalUrl;',
        ],
      ],
    },
    {
      guard: 'what the addresses of the page say: filters, and who is looked for',
      suite: 'dashboard-session.once.e2e-spec.ts',
      test: 'is logged without anything secret',
      edits: [
        [
          'request-logging.ts',
          "return segment === undefined ? '(unknown)' : `/${segment}`;",
          'return segment === undefined ? request.url : request.originalUrl;',
        ],
      ],
    },
    {
      guard: 'request ids that a caller chose',
      suite: 'request-logging.spec.ts',
      test: 'logs method, pattern, status, time and the request id in the answer',
      edits: [
        [
          'request-logging.ts',
          'const requestId = randomUUID();',
          "const requestId = String(request.headers['x-request-id'] ?? randomUUID());",
        ],
      ],
    },
    {
      guard: 'objects that are logged whole',
      suite: 'pino-logger.service.spec.ts',
      test: 'does not write objects out',
      edits: [['pino-logger.service.ts', "'No text.'", 'JSON.stringify(message)']],
    },
    {
      guard: 'messages of errors that nobody thought of, in answers',
      suite: LOGS,
      test: 'when the host fails unexpectedly',
      edits: [
        [
          'refuse.ts',
          'logger.error(errorReport(exception));\n  return ApiError.bug();',
          "return new ApiError(500, 'application_error', String(exception));",
        ],
      ],
    },
    {
      guard: 'what errors of the database, of SMTP servers and of parsers quote, in the log of unexpected errors',
      suite: 'error-report.spec.ts',
      test: 'omits the text that %s quotes, and reports kind and location',
      edits: [['error-report.ts', 'at <= lastQuoting', 'at < 0']],
    },
    {
      guard: 'addresses, and what a mail server says, in the warning that a delivery failed',
      suite: 'failure-log.spec.ts',
      test: 'says %s, and nothing else',
      edits: [['failure-log.ts', 'status === undefined ? String(code) : `${code} ${status}`', 'text']],
    },
    {
      guard: 'anything but an id in a job',
      suite: 'delivery-queue.spec.ts',
      test: 'puts only the id of the email into jobs',
      edits: [['delivery-queue.ts', 'data: dataOf(emails),', 'data: { ...dataOf(emails), delay },']],
    },
  ],
};
