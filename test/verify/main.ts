/**
 * `npm run verify [-- PART…]`: the long proof, before an issue ends. What passed is in docs/faults.md; what is unchanged since
 * then is skipped.
 */
import { fileURLToPath } from 'node:url';
import { Originals } from '../mutations/originals.js';
import { parts } from './parts.js';
import { verify } from './verify.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
// The part of the mutations was killed while it ran.
for (const path of new Originals(root).restore()) console.log(`Put back ${path}, which a killed run had changed.`);
process.exit(await verify({ root, parts, args: process.argv.slice(2) }));
