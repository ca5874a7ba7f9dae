import { ApiProblem } from './api-problem';
import { retryDelay, shouldRetry } from './retries';

const problem = (status: number, name = 'some_name', retryAfter?: number) =>
  new ApiProblem(status, name, 'Words', retryAfter);

describe('retries', () => {
  it.each([
    ['no answer', problem(0, 'no_answer')],
    ['a proxy without a server behind it', problem(502, 'unknown')],
  ])('waits out %s', (_, silence) => {
    expect(shouldRetry(1_000, silence)).toBe(true);
    expect(retryDelay(1_000, silence)).toBe(2_000);
  });

  it('retries a temporary problem twice', () => {
    const busy = problem(503, 'application_error');
    expect([0, 1, 2].map((failures) => shouldRetry(failures, busy))).toEqual([true, true, false]);
  });

  it('waits for the time that the server names, within a limit', () => {
    expect(retryDelay(0, problem(503, 'application_error', 5))).toBe(5_000);
    expect(retryDelay(0, problem(503, 'application_error', 3_600))).toBe(30_000);
    expect(retryDelay(1, problem(503, 'application_error'))).toBe(2_000);
  });

  it.each([400, 403, 404, 409, 422, 429, 500])('treats %d as an answer', (status) => {
    expect(shouldRetry(0, problem(status))).toBe(false);
  });

  it('does not retry after an error of the page', () => {
    expect(shouldRetry(0, new TypeError('x is undefined'))).toBe(false);
  });
});
