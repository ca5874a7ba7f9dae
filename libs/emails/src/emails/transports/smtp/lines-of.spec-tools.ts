import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** The lines that a client sends. A client that resets the connection ends them. */
export async function* linesOf(socket: Socket): AsyncGenerator<string> {
  const lines = createInterface({ input: socket, crlfDelay: 0 });
  try {
    yield* lines;
  } catch (error) {
    if (error !== socket.errored) throw error;
  }
}
