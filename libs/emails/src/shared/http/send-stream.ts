import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import { errorReport } from '../errors/error-report.js';

/** Idle timeout of the connection, longer than our own waits. Milliseconds. */
const STANDSTILL = 60_000;

const logger = new Logger('EmailsModule');

/** Ends the connection of a client that reads nothing for a minute. */
export function limitStandstill(response: ServerResponse): void {
  response.setTimeout(STANDSTILL, () => response.destroy());
}

/**
 * Writes a stream at the speed of the client. An answer that fails after its start is not ended, so that it does not
 * look complete.
 *
 * @param onPiece called with the bytes of each piece that was passed on
 */
export async function sendStream(
  stream: Readable,
  response: ServerResponse,
  onPiece: (bytes: number) => void,
): Promise<void> {
  async function* metered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      yield piece;
      onPiece(piece.length);
    }
  }
  stream.once('error', (error) => {
    if (!response.destroyed) logger.error(errorReport(error));
  });
  // A client that disconnects, or is cut off, is not a failure.
  await pipeline(stream, metered, response).catch(() => response.destroy());
}
