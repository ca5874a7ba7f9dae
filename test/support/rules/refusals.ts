import type { RunningHost } from '../hosts/running-host.js';
import type { Answer, RequestOptions } from '../requests/http-request.js';

/** Method, path and the rest of a request. */
export type RequestLine = readonly [method: string, path: string, options?: RequestOptions];

/** Expected refusal. `message` is matched, or a part of it; the rest is exact. */
export interface Refusal {
  status: number;
  name: string;
  message: RegExp | string;
}

/** In every body of `letter` and never in an answer. */
export const CANARY = 'canary-7c1f';

/** The 422 of a rule. */
export const invalid = (message: RegExp | string): Refusal => ({ status: 422, name: 'validation_error', message });

/** The 422 of an absent field. */
export const missing = (field: string): Refusal => ({
  status: 422,
  name: 'missing_required_field',
  message: new RegExp(`^Missing \`${field.replaceAll(/[[\]]/g, '\\$&')}\` field\\.$`),
});

export const NOT_FOUND: Refusal = { status: 404, name: 'not_found', message: '' };

/** The 422 of an invalid id in a path. */
export const NO_ID: Refusal = { status: 422, name: 'invalid_parameter', message: /^The `id` must be a valid UUID\.$/ };

/** Expects the contract's shape, without leaks. */
export function expectRefusal(answer: Answer<unknown>, { status, name, message }: Refusal): void {
  const { statusCode, ...rest } = answer.body as { statusCode: number };
  expect({ status: answer.status, statusCode, ...rest }).toEqual({
    status,
    statusCode: status,
    name,
    message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.text.length).toBeLessThan(500);
  expect(answer.text).not.toMatch(new RegExp(`${CANARY}|SELECT|INSERT|node_modules|    at `));
}

/** Sends a request that must be refused, and checks that it changed nothing in `tables`. */
export async function expectRefused(
  host: RunningHost,
  [method, path, options]: RequestLine,
  refusal: Refusal,
  tables: readonly string[],
): Promise<void> {
  const before = await traceOf(host, tables);
  expectRefusal(await host.request(method, path, options), refusal);
  expect(await traceOf(host, tables)).toEqual(before);
}

/** A digest of the content of each table. */
async function traceOf(host: RunningHost, tables: readonly string[]): Promise<unknown[]> {
  const digests = tables.map((table) =>
    host.query(
      `SELECT md5(coalesce(string_agg(row::text, '|' ORDER BY row::text), '')) AS digest FROM ${table} AS row`,
    ),
  );
  return Promise.all(digests);
}
