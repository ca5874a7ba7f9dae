import type { ServerResponse } from 'node:http';

/** Writes a JSON answer as it goes over the wire, where none was written. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.end(begin(response, status, body));
}

/** The head of such an answer. @returns its text */
export function begin(response: ServerResponse, status: number, body: unknown): string {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  return text;
}
