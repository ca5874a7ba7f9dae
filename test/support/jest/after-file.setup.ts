import { cleanUpAfterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';

afterAll(cleanUpAfterFile, PATIENCE);
