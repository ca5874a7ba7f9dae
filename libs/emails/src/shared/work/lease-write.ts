/**
 * What became of a write under a lease: `done`; `lost`, nothing was written and nothing can be; `locked`, nothing was
 * written because somebody has a row of it locked.
 */
export type LeaseWrite = 'done' | 'lost' | 'locked';
