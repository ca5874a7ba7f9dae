import type { ServerResponse } from 'node:http';

/** Answers with JSON that is not cached. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(text);
}
