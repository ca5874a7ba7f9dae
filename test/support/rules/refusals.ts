import type { RunningHost } from '../hosts/running-host.js';
import type { RequestOptions } from '../requests/http-request.js';

/** Method, path and the rest of a request. */
export type RequestLine = readonly [method: string, path: string, options?: RequestOptions];

export interface Refusal {
  status: number;
  name: string;
  /** Part of the message. */
  message: string;
}

/** Sends a request that must be refused in the contract's shape, and sees to it that it left no trace in `tables`. */
export async function expectRefusal(
  host: RunningHost,
  [method, path, options]: RequestLine,
  { status, name, message }: Refusal,
  tables: readonly string[],
): Promise<void> {
  const before = await traceOf(host, tables);
  const answer = await host.request(method, path, options);
  expect(answer.body).toEqual({ statusCode: status, name, message: expect.stringContaining(message) });
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(await traceOf(host, tables)).toEqual(before);
}

/** The 422 of a rule of the page. */
export const invalid = (message: string): Refusal => ({ status: 422, name: 'validation_error', message });

/** The 422 of an absent field. */
export const missing = (field: string): Refusal => ({
  status: 422,
  name: 'missing_required_field',
  message: `Missing \`${field}\` field.`,
});

export const NOT_FOUND: Refusal = { status: 404, name: 'not_found', message: '' };

/** A digest of everything in each table. */
async function traceOf(host: RunningHost, tables: readonly string[]): Promise<unknown[]> {
  const digests = tables.map((table) =>
    host.query(
      `SELECT md5(coalesce(string_agg(row::text, '|' ORDER BY row::text), '')) AS digest FROM ${table} AS row`,
    ),
  );
  return Promise.all(digests);
}
