import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nextTurn } from '../work/slices.js';

/** Writes a JSON answer as it goes over the wire, where none was written. */
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

/** Writes an answer in pieces, each when those before it are read. Its length is not said. */
export async function answerInPieces(
  response: ServerResponse,
  status: number,
  pieces: Iterable<string>,
  type = 'application/json',
): Promise<void> {
  response.statusCode = status;
  response.setHeader('content-type', `${type}; charset=utf-8`);
  // Who goes away, or is cut off, is no failure.
  await pipeline(Readable.from(paced(pieces)), response).catch(() => response.destroy());
}

/** Each is made in a turn of the event loop of its own, however fast they are read, and whoever else makes some. */
async function* paced(pieces: Iterable<string>): AsyncGenerator<string> {
  await nextTurn();
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}
