import { cleanUpAfterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { expectHostsWithinBudget } from '../hosts/host-watch.js';

afterAll(cleanUpAfterFile, PATIENCE);
afterAll(expectHostsWithinBudget);
