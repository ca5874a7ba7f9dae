/**
 * Files of pure logic that unit tests alone cover, quickly: by their names, wherever they are. Each group is a run of its own,
 * since a mutant in a constant needs all tests of its run in a new process: 13 % of the mutants, and 87 % of the time of a
 * single run. A smaller share of noticed mutants, in percent, than a group had fails its run.
 */
export const groups = {
  times: {
    share: 81,
    names: [
      'retry-policy.ts',
      'retry-schedule.ts',
      'retry-after.ts',
      'english-time.ts',
      'is-scheduled-at.ts',
      'share-time.ts',
    ],
  },
  addresses: { share: 86, names: ['address-key.ts', 'destination.ts', 'url-policy.ts'] },
  dialogues: {
    share: 76,
    names: [
      'reply-reader.ts',
      'smtp-extensions.ts',
      'judge-reply.ts',
      'pipelining-trust.ts',
      'connection-shares.ts',
      'endpoint-window.ts',
      'recipient-state.ts',
    ],
  },
  bytes: {
    share: 86,
    names: ['dot-stuffing.ts', 'line-data.ts', 'byte-range.ts', 'byte-array.ts', 'json-pieces.ts', 'json-rules.ts'],
  },
  texts: {
    share: 75,
    names: [
      'template-text.ts',
      'text-rules.ts',
      'storable-text.ts',
      'file-name.ts',
      'remote-images.ts',
      'did-you-mean.ts',
    ],
  },
  ids: { share: 81, names: ['account-id.ts', 'attachment-id.ts', 'is-uuid.ts', 'bearer-token.ts'] },
  lanes: {
    share: 86,
    names: [
      'semaphore.ts',
      'fair-semaphore.ts',
      'adaptive-limit.ts',
      'lookup-cache.ts',
      'shards.ts',
      'old-emails-walk.ts',
    ],
  },
};

const group = groups[process.env.STRYKER_GROUP];

/** Names of the group that runs; without one, of all. */
export const files = group?.names ?? Object.values(groups).flatMap(({ names }) => names);

/** Share of mutants that its tests must notice. Percent. */
export const share = group?.share ?? null;
