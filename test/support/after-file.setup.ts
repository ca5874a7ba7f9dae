import { cleanUpAfterFile } from './cleanup.js';
import { PATIENCE } from './patience.mjs';

afterAll(cleanUpAfterFile, PATIENCE);
