import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ApiError } from 'nestjs-emails';
import type { Part, Visit } from '../http/visit.js';
import type { PageFile } from './page-files.js';

/** Policy of the page: it loads from this server alone, and shows its frames. Html contains no script and no style. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Files with a hash of their content in the name. */
const HASHED = /^assets\//;

/** The page itself: one document for every other path, and its files. Comes last. */
export class PagePart implements Part {
  private readonly document: PageFile;

  constructor(
    mount: string,
    private readonly files: ReadonlyMap<string, PageFile>,
  ) {
    const html = files.get('index.html')?.content.toString() ?? '';
    const content = Buffer.from(html.replace('<head>', `<head>\n    <base href="${mount}/" />`));
    this.document = { type: 'text/html; charset=utf-8', content, compressed: gzipSync(content) };
  }

  handle({ request, response, method, path }: Visit): boolean {
    if (method !== 'GET') throw ApiError.methodNotAllowed(['GET']);
    const file = path === 'index.html' ? undefined : this.files.get(path);
    if (!file && HASHED.test(path))
      throw ApiError.notFound('This page has no such file. It may be of another version.');
    response.setHeader('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-store');
    if (!file) response.setHeader('content-security-policy', PAGE_POLICY);
    send(file ?? this.document, request, response);
    return true;
  }
}

function send({ type, content, compressed }: PageFile, request: IncomingMessage, response: ServerResponse): void {
  const isCompressed =
    compressed !== undefined &&
    /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(request.headers['accept-encoding'] ?? ''));
  const bytes = isCompressed ? compressed : content;
  response.setHeader('content-type', type);
  response.setHeader('vary', 'accept-encoding');
  if (isCompressed) response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-length', bytes.length);
  response.setHeader('x-content-type-options', 'nosniff');
  // Without a policy the browser would omit the origin of the page's own forms.
  response.setHeader('referrer-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.end(bytes);
}
