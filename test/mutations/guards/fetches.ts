import type { Threat } from '../guard.js';

const FREEZER = 'attachment-freezer.spec.ts';
const FETCHER = 'attachment-fetcher';
const REMOTE = 'attachments-remote.once.e2e-spec.ts';

export const fetches: Threat = {
  title: 'Attachments fetched from where nobody may look',
  guards: [
    {
      guard: 'addresses that are not public, in any spelling',
      suite: REMOTE,
      test: 'refuses this machine by the name of %s, on a port that is allowed',
      edits: [[`${FETCHER}.policy.ts`, 'if (isIP(host) !== 0 && !isPublicAddress(host))', "if (host === '')"]],
    },
    {
      guard: 'the metadata service of Azure at its public address',
      suite: `${FETCHER}.addresses.spec.ts`,
      test: 'refuses %s (%s)',
      edits: [[`${FETCHER}.addresses.ts`, 'address !== AZURE_PLATFORM', "address !== ''"]],
    },
    {
      guard: 'IPv6 addresses that carry another one, or are not assigned',
      suite: `${FETCHER}.addresses.spec.ts`,
      test: 'refuses %s (%s)',
      edits: [[`${FETCHER}.addresses.ts`, 'parsed.match(GLOBAL_IPV6)', 'true']],
    },
    {
      guard: 'names with an address that is not public, among others too',
      suite: `${FETCHER}.lookup.spec.ts`,
      test: 'fails for %s',
      edits: [[`${FETCHER}.lookup.ts`, '!addresses.every(isPublicAddress)', '!addresses.some(isPublicAddress)']],
    },
    {
      guard: 'rebinding: the address that was judged is the one that is connected to',
      suite: `${FETCHER}.spec.ts`,
      test: 'does not ask a name with %s',
      edits: [[`${FETCHER}.ts`, '...(this.policy.isExempt(url) ? {} : { lookup: this.lookup }),', '']],
    },
    {
      guard: 'redirects to where the URL itself may not lead',
      suite: REMOTE,
      test: 'refuses a redirect (%d) to an address that is not public',
      edits: [
        [`${FETCHER}.ts`, 'url = this.policy.admit(headers.location, url);', 'url = new URL(headers.location, url);'],
      ],
    },
    {
      guard: 'a fourth redirect',
      suite: `${FETCHER}.spec.ts`,
      test: 'follows three redirects, no more, and names the file by the last one',
      edits: [[`${FETCHER}.ts`, 'const MAX_REDIRECTS = 3;', 'const MAX_REDIRECTS = 9;']],
    },
    {
      guard: 'other schemes',
      suite: `${FETCHER}.policy.spec.ts`,
      test: 'refuses %s: %s',
      edits: [
        [`${FETCHER}.policy.ts`, "if (url.protocol !== 'https:' && url.protocol !== 'http:')", "if (text === '')"],
      ],
    },
    {
      guard: 'credentials in a URL',
      suite: REMOTE,
      test: 'refuses credentials, also for a host that is vouched for',
      edits: [[`${FETCHER}.policy.ts`, "if (url.username !== '' || url.password !== '')", "if (text === '')"]],
    },
    {
      guard: 'other ports',
      suite: `${FETCHER}.policy.spec.ts`,
      test: 'refuses %s: %s',
      edits: [[`${FETCHER}.policy.ts`, 'if (!this.options.ports.includes(portOf(url)))', "if (text === '')"]],
    },
    {
      guard: 'redirects that end encryption',
      suite: `${FETCHER}.policy.spec.ts`,
      test: 'judges a redirect relative to where it came from',
      edits: [
        [`${FETCHER}.policy.ts`, "if (from?.protocol === 'https:' && url.protocol === 'http:')", "if (text === '')"],
      ],
    },
    {
      guard: 'servers that never end',
      suite: `${FETCHER}.spec.ts`,
      test: 'gives up on a server that %s',
      edits: [[`${FETCHER}.ts`, '        signal,\n', '']],
    },
    {
      guard: 'files over the limit, while they come',
      suite: `${FETCHER}.spec.ts`,
      test: 'stops reading an endless body',
      edits: [[`${FETCHER}.body.ts`, 'new GrowingBytes(maxBytes)', 'new GrowingBytes(2e8)']],
    },
    {
      guard: 'compressed files',
      suite: REMOTE,
      test: 'refuses a compressed body, which it did not ask for',
      edits: [[`${FETCHER}.body.ts`, "if (encoding.toLowerCase() !== 'identity')", "if (encoding === '')"]],
    },
    {
      guard: 'more than 16 fetches at once, or 8 of one account',
      suite: `${FETCHER}.slots.spec.ts`,
      test: 'lets a set number in, half of them of one owner, the others in turn',
      edits: [[`${FETCHER}.slots.ts`, 'this.free === 0 || this.hasAll(owner)', 'this.free === 0']],
    },
    {
      guard: 'requests whose files never end to come',
      suite: FREEZER,
      test: 'has all files of a request fetched within one time, whatever each of them takes',
      edits: [['request-fetches.ts', 'this.deadline.signal, ', '']],
    },
    {
      guard: 'files that hold memory and do not come',
      suite: FREEZER,
      test: 'lets nobody keep room for files that do not come',
      edits: [['request-fetches.ts', 'memory.follow()', 'new AbortController().signal']],
    },
    {
      guard: 'answers that tell of the target',
      suite: `${FETCHER}.spec.ts`,
      test: 'says the same whatever the reason',
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
