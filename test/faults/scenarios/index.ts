import { apiFailpoints } from './api-failpoints.js';
import { backlog } from './backlog.js';
import { badMailServer } from './bad-mail-server.js';
import { badRelay } from './bad-relay.js';
import { batches } from './batches.js';
import { cutCommit } from './cut-commit.js';
import { doubledJobs } from './doubled-jobs.js';
import { dyingWorker } from './dying-worker.js';
import { failover, unsteadyRelay } from './failover.js';
import { frozenWorker } from './frozen-worker.js';
import { killedAction } from './killed-action.js';
import { killedPostmaster } from './killed-postmaster.js';
import { killedReport } from './killed-report.js';
import { killedSplit } from './killed-split.js';
import { lockedRows } from './locked-rows.js';
import { lockedTables } from './locked-tables.js';
import { longTransactions } from './long-transactions.js';
import { lostHop } from './lost-hop.js';
import { lostPostgres } from './lost-postgres.js';
import { emptiedQueue, lostRedis } from './lost-queue.js';
import { lyingRelay } from './lying-relay.js';
import { oddPipelines } from './odd-pipelines.js';
import { oddReplyServer } from './odd-replies.js';
import { poisonedEmail } from './poisoned-email.js';
import { racedChanges } from './raced-changes.js';
import { randomKills } from './random-kills.js';
import { restoredDump } from './restored-dump.js';
import type { Scenario } from './scenario.js';
import { silentDots } from './silent-dots.js';
import { smallHeap } from './small-heap.js';
import { sweepFailpoint } from './sweep-failpoint.js';
import { badReceiver } from './webhooks/bad-receiver.js';
import { webhooksKilled } from './webhooks/killed.js';
import { webhooksWithoutPostgres } from './webhooks/lost-postgres.js';
import { webhooksAtRandom } from './webhooks/random.js';
import { workerFailpoints } from './worker-failpoints.js';
import { wrongClocks } from './wrong-clocks.js';

/** In the order of the table. */
export const scenarios: readonly Scenario[] = [
  apiFailpoints,
  cutCommit,
  batches,
  smallHeap,
  workerFailpoints,
  sweepFailpoint,
  randomKills,
  racedChanges,
  frozenWorker,
  dyingWorker,
  killedAction,
  killedReport,
  killedSplit,
  emptiedQueue,
  backlog,
  lostRedis,
  lostPostgres,
  killedPostmaster,
  restoredDump,
  badMailServer,
  oddReplyServer,
  oddPipelines,
  lyingRelay,
  silentDots,
  lostHop,
  failover,
  unsteadyRelay,
  badRelay,
  lockedRows,
  lockedTables,
  longTransactions,
  poisonedEmail,
  doubledJobs,
  wrongClocks,
  webhooksKilled,
  webhooksAtRandom,
  badReceiver,
  webhooksWithoutPostgres,
];
