import type { ServerResponse } from 'node:http';
import { nextTurn } from '../work/slices.js';
import { sendPieces } from './send-pieces.js';

/** Writes a JSON answer, unless one was written already. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.end(begin(response, status, JSON.stringify(body)));
}

/** The head of such an answer. @returns its text */
export function begin(response: ServerResponse, status: number, text: string): string {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(text));
  return text;
}

/**
 * Writes an answer in pieces, each made when the connection has accepted the previous one. Without a header for it, its
 * length is not announced.
 *
 * @example
 * ```ts
 * await answerInPieces(response, 200, ['<!doctype html>', '<p>Hello</p>'], 'text/html');
 * ```
 */
export async function answerInPieces(
  response: ServerResponse,
  status: number,
  pieces: Iterable<string>,
  type = 'application/json',
): Promise<void> {
  response.statusCode = status;
  response.setHeader('content-type', `${type}; charset=utf-8`);
  await sendPieces(response, paced(pieces));
}

/** Makes each piece in a separate turn of the event loop, regardless of the speed of readers. */
async function* paced(pieces: Iterable<string>): AsyncGenerator<string> {
  await nextTurn();
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}
