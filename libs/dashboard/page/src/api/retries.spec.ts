import { ApiProblem } from './api-problem';
import { retryDelay, shouldRetry } from './retries';

const problem = (status: number, name = 'some_name', retryAfter?: number) =>
  new ApiProblem(status, name, 'Words', retryAfter);

describe('retries', () => {
  it.each([
    ['no answer', problem(0, 'no_answer')],
    ['a proxy with nobody behind it', problem(502, 'unknown')],
  ])('waits out %s', (_, silence) => {
    expect(shouldRetry(1_000, silence)).toBe(true);
    expect(retryDelay(1_000, silence)).toBe(2_000);
  });

  it('asks for what passes twice more', () => {
    const busy = problem(503, 'application_error');
    expect([0, 1, 2].map((failures) => shouldRetry(failures, busy))).toEqual([true, true, false]);
  });

  it('waits as long as it was told, within reason', () => {
    expect(retryDelay(0, problem(503, 'application_error', 5))).toBe(5_000);
    expect(retryDelay(0, problem(503, 'application_error', 3_600))).toBe(30_000);
    expect(retryDelay(1, problem(503, 'application_error'))).toBe(2_000);
  });

  it.each([400, 403, 404, 409, 422, 429, 500])('takes %d for an answer', (status) => {
    expect(shouldRetry(0, problem(status))).toBe(false);
  });

  it('asks nothing again after a mistake of the page', () => {
    expect(shouldRetry(0, new TypeError('x is undefined'))).toBe(false);
  });
});
