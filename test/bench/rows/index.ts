import { actions, recording } from './actions.js';
import { batch } from './batch.js';
import * as delivery from './delivery.js';
import { deliverySigned } from './delivery-signed.js';
import { deliverySplit } from './delivery-split.js';
import { distance } from './distance.js';
import { exporting } from './export.js';
import { fairTurns } from './fair-turns.js';
import { filters } from './filters.js';
import * as finalHop from './final-hop.js';
import { growth } from './growth.js';
import { pages } from './listing.js';
import * as post from './post.js';
import { quotaCost } from './quotas.js';
import * as resources from './resources.js';
import type { Row } from './row.js';
import { search, searchCost } from './search.js';
import { sensitiveCost } from './sensitive.js';
import { suppressionsCost } from './suppressions.js';
import { webhookLog } from './webhook-log.js';
import * as webhooks from './webhooks.js';

/** In the order of the table. */
export const rows: readonly Row[] = [
  post.postRedis,
  post.postPostgres,
  post.latency,
  post.refused,
  batch,
  delivery.deliveryRedis,
  delivery.deliveryPostgres,
  delivery.togetherRedis,
  delivery.togetherPostgres,
  delivery.secondWorker,
  deliverySigned,
  deliverySplit,
  finalHop.deliveryFinal,
  finalHop.hangingDomains,
  delivery.deliverySnapshot,
  ...fairTurns,
  webhooks.delivering,
  webhooks.unused,
  webhooks.slowEndpoint,
  ...webhooks.hanging,
  ...distance,
  pages,
  filters,
  search,
  searchCost,
  quotaCost,
  actions,
  exporting,
  sensitiveCost,
  suppressionsCost,
  recording,
  webhookLog,
  growth,
  resources.uploads,
  resources.start,
  resources.memory,
  resources.bytes,
  resources.logged,
];
