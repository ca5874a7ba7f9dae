import { register } from 'node:module';

/** `node --import`: lets plain Node run these TypeScript files as they stand. Their types are checked elsewhere. */
register('./typescript-hooks.mjs', import.meta.url);
