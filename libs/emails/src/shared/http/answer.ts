import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nextTurn } from '../work/slices.js';

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

/** Writes an answer in pieces, each after the client has read the previous ones. Its length is not announced. */
export async function answerInPieces(
  response: ServerResponse,
  status: number,
  pieces: Iterable<string>,
  type = 'application/json',
): Promise<void> {
  response.statusCode = status;
  response.setHeader('content-type', `${type}; charset=utf-8`);
  // A client that disconnects, or is cut off, is not a failure.
  await pipeline(Readable.from(paced(pieces)), response).catch(() => response.destroy());
}

/** Makes each piece in a separate turn of the event loop, regardless of the speed of readers. */
async function* paced(pieces: Iterable<string>): AsyncGenerator<string> {
  await nextTurn();
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}
