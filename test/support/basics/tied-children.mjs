/** Processes that this one started and that have not ended: none of them outlives it, unless SIGKILL ends it. */
const running = new Set();
let ending = false;

process.on('exit', killAll);

/** Ties a child process to this one, from its first moment on. */
export function tie(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  // Without an id it never came to be.
  child.once('error', () => child.pid === undefined && running.delete(child));
  if (ending) child.kill('SIGKILL');
  return child;
}

/** SIGKILL for all of them, and for whatever is tied from here on: work that goes on cannot start anything any more. */
export function endTied() {
  ending = true;
  killAll();
}

function killAll() {
  for (const child of running) child.kill('SIGKILL');
}
