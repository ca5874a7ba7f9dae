/**
 * Result of a write under a lease: `done`; `lost`, nothing was or can be written; `locked`, nothing was written because
 * another transaction has the row locked.
 */
export type LeaseWrite = 'done' | 'lost' | 'locked';
