import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../../config/settings.js';
import { describeError } from '../../shared/errors/describe-error.js';

/** One JSON object a line on standard output. Errors appear without what callers or servers said in them. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  });
}
