import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Settings } from '../../config/settings.js';
import { describeError } from '../../shared/errors/describe-error.js';

/** One JSON object a line on standard output. Errors appear without quotes of callers or servers. */
export function createLogger(level: Settings['logLevel']): Logger {
  return pino({
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  });
}
