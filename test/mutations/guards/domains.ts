import type { Threat } from '../guard.js';

const NEXT = 'next-check.spec.ts';
const KEYS = 'stored-signing-keys.spec.ts';
const LOOKUPS = 'look-up-domain.spec.ts';

export const domains: Threat = {
  title: 'Domains and keys of others, and DNS that lies',
  guards: [
    {
      guard: 'a key of a domain in the place of another',
      suite: KEYS,
      test: 'rejects with %s, so that mail waits',
      edits: [['sealed-keys.ts', '`${domainId} ${selector}`', '`${domainId.length} ${selector}`']],
    },
    {
      guard: 'many keys at once, which would hold the threads that sign',
      suite: KEYS,
      test: 'makes a limited number of pairs of an account at the same time',
      edits: [['key-pairs.ts', 'if (waiting >= DOMAIN_LIMITS.pairs.max)', 'if (waiting < 0)']],
    },
    {
      guard: 'domains below which everybody can register',
      suite: 'read-domain-name.spec.ts',
      test: 'refuses %s',
      edits: [['public-suffixes.ts', 'this.parse(name).domain !== null', "name !== ''"]],
    },
    {
      guard: 'a verified domain that fails because DNS does not answer',
      suite: NEXT,
      test: 'a lookup without an answer leaves %s as %s, however long it takes',
      edits: [['next-check.ts', 'status: isNew ? ', 'status: isNew || since === null ? ']],
    },
    {
      guard: 'text of DNS that fills the database',
      suite: NEXT,
      test: 'keeps little of what it found, in a form that can be stored',
      edits: [['next-check.ts', 'seen.found.slice(0, RECORDS)', 'seen.found.slice(0)']],
    },
    {
      guard: 'servers that never answer',
      suite: LOOKUPS,
      test: 'ends with its signal, although no server answers',
      edits: [['bounded-names.ts', 'Promise.race([lookUp(), this.ended])', 'lookUp()']],
    },
    {
      guard: 'checks that one account has asked for in front of the due domains of others',
      suite: 'domain-checker.spec.ts',
      test: 'checks due domains at once, however many checks their account has asked for',
      edits: [
        [
          'domain-checker.ts',
          'leased.map((domain) => this.check(domain))',
          'leased.map(async (domain) => { const end = await this.slots.acquire(domain.accountId); await this.check(domain).finally(end); })',
        ],
      ],
    },
    {
      guard: 'verified domains of everybody that a new option of the host takes back',
      suite: 'domain-state.spec.ts',
      test: 'stays verified without records that were never asked for, and has no alarm',
      edits: [
        ['checks/domain-status.ts', "record.kind === 'challenge' || wasThere", "record.kind !== 'dmarc' || wasThere"],
      ],
    },
    {
      guard: 'records that take long to read',
      suite: 'judge-dkim.spec.ts',
      test: 'reads 64 kB of anything in little time',
      edits: [['judge-dkim.ts', '/(^|;)\\s*p\\s*=/', '/(^|;)\\s*\\s*p\\s*=/']],
    },
  ],
};
