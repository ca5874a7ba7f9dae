import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';
import { framesOf } from '../../shared/errors/describe-error.js';

/** Nest's start messages, useful only when something does not start. */
const QUIET_CONTEXTS = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Nest's logger on pino. A message is followed by the stack of an error, if any, and the name of the component. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = rest.findLast((part) => typeof part === 'string' && !part.includes('\n'));
    const effective = level === 'info' && QUIET_CONTEXTS.has(String(context)) ? 'debug' : level;
    if (!this.logger.isLevelEnabled(effective)) {
      return;
    }
    const error = [message, ...rest].find((part) => part instanceof Error);
    const stack = rest.find((part) => typeof part === 'string' && part.includes('\n'));
    const details = error ? { err: error } : typeof stack === 'string' ? { stack: framesOf(stack) } : {};
    this.logger[effective]({ context, ...details }, textOf(message));
  }
}

/** Objects are not logged, because their content is unknown. */
function textOf(message: unknown): string {
  return typeof message === 'string' ? message : message instanceof Error ? 'An error.' : 'No text.';
}
