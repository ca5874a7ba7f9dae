/**
 * `npm run verify [-- PART…]`: the long proof, before an issue ends. What passed is in docs/faults.md; what is unchanged since
 * then is skipped.
 */
import { fileURLToPath } from 'node:url';
import { parts } from './parts.js';
import { verify } from './verify.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
process.exit(await verify({ root, parts, args: process.argv.slice(2) }));
