/**
 * Files of pure logic that unit tests alone cover, quickly: by their names, wherever they are. Each group is a run of its own,
 * since a mutant in a constant needs all tests of its run in a new process: 13 % of the mutants, and 87 % of the time of a
 * single run.
 */
export const groups = {
  times: [
    'retry-policy.ts',
    'retry-schedule.ts',
    'retry-after.ts',
    'english-time.ts',
    'is-scheduled-at.ts',
    'share-time.ts',
  ],
  addresses: ['address-key.ts', 'destination.ts', 'url-policy.ts'],
  dialogues: [
    'reply-reader.ts',
    'smtp-extensions.ts',
    'judge-reply.ts',
    'pipelining-trust.ts',
    'connection-shares.ts',
    'endpoint-window.ts',
    'recipient-state.ts',
  ],
  bytes: ['dot-stuffing.ts', 'line-data.ts', 'byte-range.ts', 'byte-array.ts', 'json-pieces.ts', 'json-rules.ts'],
  texts: [
    'template-text.ts',
    'text-rules.ts',
    'storable-text.ts',
    'file-name.ts',
    'remote-images.ts',
    'did-you-mean.ts',
  ],
  ids: ['account-id.ts', 'attachment-id.ts', 'is-uuid.ts', 'bearer-token.ts'],
  lanes: [
    'semaphore.ts',
    'fair-semaphore.ts',
    'adaptive-limit.ts',
    'lookup-cache.ts',
    'shards.ts',
    'old-emails-walk.ts',
  ],
};

/** Group that runs; without it all files. */
export const files = groups[process.env.STRYKER_GROUP] ?? Object.values(groups).flat();
