import { isFree } from './free-port.mjs';

/** Below the ports of `freePort`, and far below those that systems lend to clients. */
const FIRST = 10_000;
const LAST = 19_999;

/**
 * A free port of 127.0.0.1 that neither the system nor `freePort` assigns to others, so that a server can close and
 * reopen it.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
  }
}
