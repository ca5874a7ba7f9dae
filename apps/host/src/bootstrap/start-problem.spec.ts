import { SettingsError } from '../config/settings.error.js';
import { StartError } from '../shared/errors/start.error.js';
import { startProblem } from './start-problem.js';

describe('startProblem', () => {
  it('says what the operator can do, without a stack', () => {
    expect(startProblem(new SettingsError(['PORT must be a number.']))).toBe(
      'Cannot start: the environment is invalid.\n  PORT must be a number.\n',
    );
    expect(startProblem(new StartError('Choose another key.'))).toBe('Cannot start. Choose another key.\n');
  });

  it('says that PostgreSQL gave no answer when a later step got no connection', () => {
    expect(startProblem(new Error('timeout exceeded when trying to connect'))).toBe(
      'Cannot start. PostgreSQL cannot be used: there was no answer in time.\n',
    );
  });

  it('includes the stack of a bug, and the code of another service', () => {
    expect(startProblem(new TypeError('x is not a function'))).toMatch(
      /^Cannot start\. TypeError: x is not a function\n {2}at /,
    );
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    expect(startProblem(refused)).toMatch(/^Cannot start\. Error ECONNREFUSED: /);
  });
});
