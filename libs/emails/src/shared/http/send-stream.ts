import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { errorReport } from '../errors/error-report.js';
import { sendPieces } from './send-pieces.js';

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
 */
export async function sendStream(stream: Readable, response: ServerResponse): Promise<void> {
  stream.once('error', (error) => {
    if (!response.destroyed) logger.error(errorReport(error));
  });
  await sendPieces(response, stream);
}
