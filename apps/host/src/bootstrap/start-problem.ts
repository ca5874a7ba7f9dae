import { isDatabaseUnavailable } from 'nestjs-emails';
import { SettingsError } from '../config/settings.error.js';
import { databaseProblem } from '../shared/errors/database-problem.js';
import { describeError } from '../shared/errors/describe-error.js';
import { StartError } from '../shared/errors/start.error.js';

/** The reason of a failed start, for the operator. Bugs include their stack. */
export function startProblem(error: unknown): string {
  if (error instanceof SettingsError) {
    return `Cannot start: the environment is invalid.\n${error.problems.map((problem) => `  ${problem}\n`).join('')}`;
  }
  if (error instanceof StartError) {
    return `Cannot start. ${error.message}\n`;
  }
  // With a code it may be of another service.
  if (isDatabaseUnavailable(error) && describeError(error).code === undefined) {
    return `Cannot start. PostgreSQL cannot be used: ${databaseProblem(error)}.\n`;
  }
  const { type, code, message = '', stack = [] } = describeError(error);
  return `Cannot start. ${type}${code === undefined ? '' : ` ${code}`}: ${message}\n${stack.map((frame) => `  ${frame}\n`).join('')}`;
}
