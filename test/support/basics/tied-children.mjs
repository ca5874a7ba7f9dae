/** Running child processes, none of which outlives this process, unless SIGKILL ends it. */
const running = new Set();
let ending = false;

process.on('exit', killAll);

/** Ties a child process to this one, from its first moment on. */
export function tie(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  // Without an id it was never started.
  child.once('error', () => child.pid === undefined && running.delete(child));
  if (ending) child.kill('SIGKILL');
  return child;
}

/** Kills all of them, and every child that is tied later: work in progress can start no more processes. */
export function endTied() {
  ending = true;
  killAll();
}

function killAll() {
  for (const child of running) child.kill('SIGKILL');
}
