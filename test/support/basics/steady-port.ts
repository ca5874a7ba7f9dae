import { isFree } from './free-port.mjs';

/** Below the ports of `freePort`, and far below those that systems lend to clients. */
const FIRST = 10_000;
const LAST = 19_999;

/**
 * A port of 127.0.0.1 that is free, and that neither the system nor `freePort` gives to anybody: whoever closes it can
 * listen on it again.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
  }
}
