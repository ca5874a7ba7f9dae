/**
 * Lets Node run the TypeScript of this folder as it is: `node --import ./test/bench/ts.mjs FILE.ts`. Decorators and
 * their metadata as Nest needs them; no type check, which `npm run typecheck` makes.
 */
import { register } from 'node:module';

register('./ts.hooks.mjs', import.meta.url);
