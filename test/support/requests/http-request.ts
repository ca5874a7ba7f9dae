import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { PATIENCE } from '../basics/patience.mjs';
import { deviations } from '../reading/openapi.js';

export interface RequestOptions {
  /** An object or array is sent as JSON, a string or Buffer unchanged. `content-type` is JSON unless given. */
  body?: unknown;
  /** Sent as given; an undefined value leaves a header out. */
  headers?: OutgoingHttpHeaders;
  /** For `Authorization: Bearer`; null sends none. */
  token?: string | null;
  /** Milliseconds for the whole exchange. Default: `PATIENCE`. */
  timeout?: number;
}

export interface Answer<T> {
  status: number;
  headers: IncomingHttpHeaders;
  /** Parsed for a JSON content type, else the text. */
  body: T;
  text: string;
}

/**
 * One HTTP exchange on a separate connection. The path is sent exactly as given, after that of the base address.
 * Answers of our host must match its OpenAPI document.
 */
export function httpRequest<T>(
  baseUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const payload = encode(options.body);
  const headers: OutgoingHttpHeaders = {
    ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
    ...(payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}),
    ...lowerCaseNames(options.headers),
  };
  for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
  const fullPath = pathname.replace(/\/$/, '') + path;
  const signal = AbortSignal.timeout(options.timeout ?? PATIENCE);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path: fullPath, headers, signal, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = method !== 'HEAD' && incoming.headers['content-type']?.includes('application/json');
        const body = (json ? JSON.parse(text) : text) as T;
        const answer = { status: incoming.statusCode ?? 0, headers: incoming.headers, body, text };
        // Not every target is a host.
        const problems = answer.headers['x-request-id'] ? deviations(method, path, answer) : [];
        if (problems.length === 0) resolve(answer);
        else reject(new Error(`The answer deviates from the OpenAPI document: ${problems.join(' ')}\n${text}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
}

function encode(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function lowerCaseNames(headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
