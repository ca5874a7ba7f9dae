/**
 * `npm run verify [-- PART…]`: the long proof, before an issue ends. Passed parts are recorded in docs/faults.md, and skipped
 * until their inputs change.
 */
import { fileURLToPath } from 'node:url';
import { Originals } from '../mutations/originals.js';
import { parts } from './parts.js';
import { verify } from './verify.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
// The part of the mutations was killed while it ran.
for (const path of new Originals(root).restore()) console.log(`Put back ${path}, which a killed run had changed.`);
process.exit(await verify({ root, parts, args: process.argv.slice(2) }));
