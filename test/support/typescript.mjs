import { register } from 'node:module';

/** `node --import`: lets plain Node run these TypeScript files directly. `npm run typecheck` checks their types. */
register('./typescript-hooks.mjs', import.meta.url);
