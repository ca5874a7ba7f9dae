import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems lend to clients, from 32,768 or 49,152 on: a server keeps its port while it restarts. */
const FIRST = 20_000;
/** Each of jest's workers has a separate range of ports. */
const WORKERS = 8;
const EACH = 1_500;

const worker = Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS;
let next = randomInt(EACH);

/** A port of 127.0.0.1 that was free a moment ago. A program that listens on it must expect a conflict. */
export async function freePort() {
  for (;;) {
    const port = FIRST + WORKERS * (next++ % EACH) + worker;
    if (await isFree(port)) return port;
  }
}

/** Resolves to true if nothing listens on a port of 127.0.0.1. */
export async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
