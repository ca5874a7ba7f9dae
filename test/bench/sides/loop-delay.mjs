/** Preloaded by a host: keeps the delays of its event loop since SIGUSR2 in a file. Milliseconds. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env.BENCH_LOOP_DELAY;
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on('SIGUSR2', () => delays.reset());
setInterval(() => {
  const [p50, p99] = [50, 99].map((share) => delays.percentile(share) / 1e6);
  writeFileSync(file, JSON.stringify({ p50, p99 }));
}, 250).unref();
