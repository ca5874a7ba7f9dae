/**
 * Peak of memory on this Node relative to Node 20 and 22. Node 24 frees buffers later: with twenty files of 25 MB, 354 to
 * 412 MB instead of 348 to 369. docs/operating.md names the factor.
 */
export const GARBAGE = Number(process.versions.node.split('.')[0]) >= 24 ? 1.2 : 1;
