import { ApiProblem } from './api-problem';
import { readItem, writeItem } from './browser-storage';
import { noteAnswer } from './connection';

export { ApiProblem };

/** Mount path of the page, with a slash at its end. */
export const MOUNT = new URL(document.baseURI).pathname;

/** Key of the page token in the browser's storage, which tabs share. */
export const PAGE_TOKEN_KEY = 'nestjs-emails page token';

/** The page token of a browser that keeps nothing: it lasts until a reload. */
let unkeptToken: string | undefined;

/** Token of the page next to its cookie. Other servers on this machine get the cookie, and never this. */
export function keepPageToken(token: string): void {
  unkeptToken = writeItem('localStorage', PAGE_TOKEN_KEY, token) ? undefined : token;
}

export function forgetPageToken(): void {
  unkeptToken = undefined;
  writeItem('localStorage', PAGE_TOKEN_KEY, null);
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** The server's answer to a path below the mount path. @throws ApiProblem for every refusal, and without an answer */
export async function fetchMounted(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { body, signal, headers } = options;
  let response: Response;
  try {
    response = await fetch(MOUNT + path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ?? null,
      headers: {
        'x-emails-page': unkeptToken ?? readItem('localStorage', PAGE_TOKEN_KEY) ?? '',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    noteAnswer(false);
    throw new ApiProblem(0, 'no_answer', 'The server did not answer. Is it running, and reachable from here?');
  }
  const problem = response.ok ? undefined : await problemOf(response);
  noteAnswer(problem?.isSilence !== true);
  if (problem) throw problem;
  return response;
}

/** The same, read as JSON. */
export async function ask<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
  const response = await fetchMounted(method, path, options);
  return (await response.json()) as T;
}

/** A call of the public API, such as `api('GET', 'emails?limit=20')`. @throws ApiProblem */
export function api<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
  return ask<T>(method, `api/${path}`, options);
}

/** `?a=b&c=d` of the defined values; a list repeats its name for each value. Empty without any. */
export function queryOf(parameters: Record<string, string | number | readonly string[] | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') query.append(name, String(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const waiting = Number(response.headers.get('retry-after'));
  const retryAfter = waiting > 0 ? waiting : undefined;
  try {
    const { name, message } = (await response.json()) as { name: string; message: string };
    return new ApiProblem(response.status, name, message, retryAfter);
  } catch {
    return new ApiProblem(response.status, 'unknown', `The server answered ${response.status}.`, retryAfter);
  }
}
