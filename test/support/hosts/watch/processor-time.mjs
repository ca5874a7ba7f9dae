import { openSync, readSync } from 'node:fs';

/** Processor time of this thread. Milliseconds. */
export const processorTime = choose();

function choose() {
  if (process.threadCpuUsage) return () => sum(process.threadCpuUsage());
  return ofLinux() ?? (() => sum(process.cpuUsage()));
}

function sum({ user, system }) {
  return (user + system) / 1_000;
}

/** The main thread has the id of its process. The first number is nanoseconds on a processor. */
function ofLinux() {
  const bytes = Buffer.alloc(64);
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const read = () => Number.parseInt(bytes.latin1Slice(0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1_000_000;
    return read() > 0 ? read : undefined;
  } catch {
    return undefined;
  }
}
