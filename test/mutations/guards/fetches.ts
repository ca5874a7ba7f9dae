import type { Threat } from '../guard.js';

const RESOLVER = 'attachment-resolver.spec.ts';
const FETCHER = 'attachment-fetcher';
const CLIENT = 'guarded-client.ts';
const FAIR_SEMAPHORE = 'fair-semaphore';
const REMOTE = 'attachments-remote.once.e2e-spec.ts';

export const fetches: Threat = {
  title: 'Attachments fetched from where nobody may look',
  guards: [
    {
      guard: 'addresses that are not public, in any spelling',
      suite: REMOTE,
      test: 'refuses this machine by the name of %s, on a port that is allowed',
      edits: [['url-policy.ts', 'if (isIP(host) !== 0 && !isPublicAddress(host))', "if (host === '')"]],
    },
    {
      guard: 'the metadata service of Azure at its public address',
      suite: 'public-address.spec.ts',
      test: 'refuses %s (%s)',
      edits: [['public-address.ts', 'address !== AZURE_PLATFORM', "address !== ''"]],
    },
    {
      guard: 'IPv6 addresses that carry another one, or are not assigned',
      suite: 'public-address.spec.ts',
      test: 'refuses %s (%s)',
      edits: [['public-address.ts', 'parsed.match(GLOBAL_IPV6)', 'true']],
    },
    {
      guard: 'names with an address that is not public, among others too',
      suite: 'public-lookup.spec.ts',
      test: 'fails for %s',
      edits: [['public-lookup.ts', '!addresses.every(isPublicAddress)', '!addresses.some(isPublicAddress)']],
    },
    {
      guard: 'rebinding: the address that was judged is the one that is connected to',
      suite: `${FETCHER}.spec.ts`,
      test: 'does not call a name with %s',
      edits: [[CLIENT, '...(this.policy.isExempt(url) ? {} : { lookup: this.lookup }),', '']],
    },
    {
      guard: 'redirects to where the URL itself may not lead',
      suite: REMOTE,
      test: 'refuses a redirect (%d) to an address that is not public',
      edits: [[CLIENT, 'url = this.policy.admit(headers.location, url);', 'url = new URL(headers.location, url);']],
    },
    {
      guard: 'a fourth redirect',
      suite: `${FETCHER}.spec.ts`,
      test: 'follows three redirects, no more, and names the file by the last one',
      edits: [[CLIENT, 'const MAX_REDIRECTS = LIMITS.redirects.max;', 'const MAX_REDIRECTS = 9;']],
    },
    {
      guard: 'other schemes',
      suite: 'url-policy.spec.ts',
      test: 'refuses %s: %s',
      edits: [['url-policy.ts', "if (url.protocol !== 'https:' && url.protocol !== 'http:')", "if (text === '')"]],
    },
    {
      guard: 'credentials in a URL',
      suite: REMOTE,
      test: 'refuses credentials, also for an allowed host',
      edits: [['url-policy.ts', "if (url.username !== '' || url.password !== '')", "if (text === '')"]],
    },
    {
      guard: 'other ports',
      suite: 'url-policy.spec.ts',
      test: 'refuses %s: %s',
      edits: [['url-policy.ts', 'if (!this.options.ports.includes(portOf(url)))', "if (text === '')"]],
    },
    {
      guard: 'redirects that end encryption',
      suite: 'url-policy.spec.ts',
      test: 'resolves a redirect relative to its origin',
      edits: [['url-policy.ts', "if (from?.protocol === 'https:' && url.protocol === 'http:')", "if (text === '')"]],
    },
    {
      guard: 'servers that never end',
      suite: `${FETCHER}.spec.ts`,
      test: 'gives up on a server that %s',
      edits: [[CLIENT, '        signal,\n', '']],
    },
    {
      guard: 'files over the limit, while they come',
      suite: `${FETCHER}.spec.ts`,
      test: 'stops reading an endless body',
      edits: [
        ['read-body.ts', 'if (bytes > maxBytes)', 'if (bytes > 2e8)'],
        ['read-body.ts', 'new GrowingBytes(maxBytes)', 'new GrowingBytes(2e8)'],
      ],
    },
    {
      guard: 'compressed files',
      suite: REMOTE,
      test: 'refuses a compressed body, which it did not request',
      edits: [['read-body.ts', "if (encoding.toLowerCase() !== 'identity')", "if (encoding === '')"]],
    },
    {
      guard: 'more than 16 fetches at once, or 8 of one account',
      suite: `${FAIR_SEMAPHORE}.spec.ts`,
      test: 'admits a fixed number, half of them of one owner, the others in turn',
      edits: [[`${FAIR_SEMAPHORE}.ts`, 'this.free === 0 || this.hasAll(owner)', 'this.free === 0']],
    },
    {
      guard: 'requests whose files never end to come',
      suite: RESOLVER,
      test: 'applies one timeout to all files of a request',
      edits: [['request-fetches.ts', 'this.deadline.signal, ', '']],
    },
    {
      guard: 'files that hold memory and do not come',
      suite: RESOLVER,
      test: 'releases the memory of files that do not arrive',
      edits: [['request-fetches.ts', 'memory.follow()', 'new AbortController().signal']],
    },
    {
      guard: 'answers that tell of the target',
      suite: `${FETCHER}.spec.ts`,
      test: 'has the same message for every reason',
      edits: [
        [
          `${FETCHER}.ts`,
          "ApiError.invalidAttachment('The `path` of an attachment could not be fetched.')",
          'ApiError.invalidAttachment(String(error))',
        ],
      ],
    },
  ],
};
