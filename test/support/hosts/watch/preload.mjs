/**
 * `node --import preload.mjs?findings=FILE`: watches a host from its first listening on, and writes violations of
 * `BUDGET` into the file, a JSON line each. Threads of the host load this too, but are not watched, because they block
 * no requests.
 */
import { appendFileSync } from 'node:fs';
import { Server } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { BUDGET } from './budget.mjs';
import { MemoryWatch } from './memory-watch.mjs';
import { TickWatch } from './tick-watch.mjs';
import { Work } from './work.mjs';

const file = new URL(import.meta.url).searchParams.get('findings');

if (isMainThread && file) {
  const work = await Work.watch();
  const report = (finding) => appendFileSync(file, `${JSON.stringify(finding)}\n`);
  let begun = false;

  const begin = () => {
    if (begun) return;
    begun = true;
    const ticks = new TickWatch(BUDGET.tick, work, report);
    ticks.start();
    new MemoryWatch(BUDGET, work, report, () => ticks.forget()).start();
  };

  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    this.once('listening', begin);
    return listen.apply(this, args);
  };
}
