import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** The lines that a client sends. A client that resets the connection ends them. */
export async function* linesOf(socket: Socket): AsyncGenerator<string> {
  const lines = createInterface({ input: socket, crlfDelay: 0 });
  // A reset after the caller stopped reading reaches only the interface, which throws without a listener.
  lines.on('error', () => {});
  try {
    yield* lines;
  } catch (error) {
    if (error !== socket.errored) throw error;
  }
}
