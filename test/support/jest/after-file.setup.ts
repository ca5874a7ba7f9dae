import { cleanUpAfterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { reportHostsBeyondBudget } from '../hosts/host-watch.js';

afterAll(cleanUpAfterFile, PATIENCE);
// A suite does not fail by it yet: processor time of one tick grows with a slow machine, and with its collector's pauses.
afterAll(reportHostsBeyondBudget);
