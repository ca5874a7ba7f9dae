import { register } from 'node:module';

/** `node --import`: lets plain Node run these TypeScript files as they stand. `npm run typecheck` checks their types. */
register('./typescript-hooks.mjs', import.meta.url);
