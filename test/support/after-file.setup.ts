import { cleanUpAfterFile } from './cleanup.js';

afterAll(cleanUpAfterFile, 60_000);
