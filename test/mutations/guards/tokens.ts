import type { Threat } from '../guard.js';

const AUTH = 'auth.once.e2e-spec.ts';

export const tokens: Threat = {
  title: 'Tokens that are guessed, stolen or used for more than they may',
  guards: [
    {
      guard: 'a second `Authorization` header',
      suite: 'bearer-token.spec.ts',
      test: 'refuses two headers, even when they agree',
      edits: [['bearer-token.ts', ' || isRepeated(request.rawHeaders)', '']],
    },
    {
      guard: 'what cannot be a token, before anything is looked up',
      suite: 'bearer-token.spec.ts',
      test: 'refuses %.40p',
      edits: [['bearer-token.ts', '!TOKEN_PATTERN.test(rest) ||', '']],
    },
    {
      guard: 'tokens in the database: hashes only, and only hashes are compared',
      suite: 'accounts.once.e2e-spec.ts',
      test: 'stores no key, only its hash',
      edits: [
        [
          'api-keys.service.ts',
          "      name,\n      permission: permission ?? 'full_access',",
          "      name: token,\n      permission: permission ?? 'full_access',",
        ],
      ],
    },
    {
      guard: 'tokens kept by anything weaker than SHA-256',
      suite: 'token.spec.ts',
      test: 'are kept as SHA-256',
      edits: [['token.ts', "hash('sha256', token, 'buffer')", "hash('md5', token, 'buffer')"]],
    },
    {
      guard: 'keys that were made of a secret for one purpose and serve another',
      suite: 'secret-keys.spec.ts',
      test: 'derives different keys for each purpose',
      edits: [['secret-keys.ts', '`${purpose} key`', "'key'"]],
    },
    {
      guard: 'revoked keys',
      suite: AUTH,
      test: 'ends within a second of a revocation',
      edits: [['key-lookup.service.ts', '($1::bytea[]) AND revoked_at IS NULL', '($1::bytea[])']],
    },
    {
      guard: 'more than 100 unknown keys a minute from one address',
      suite: AUTH,
      test: 'by guessing is limited: 100 unknown keys a minute per address, without effect on valid ones',
      edits: [['api-key-authenticator.ts', 'await this.failedKeys.count(remoteAddress);', '']],
    },
    {
      guard: 'guesses that push valid keys out of memory',
      suite: 'lookup-cache.spec.ts',
      test: 'is not emptied by a flood of guesses',
      edits: [['lookup-cache.ts', 'this.keep(this.absent, key, entry);', 'this.keep(this.found, key, entry);']],
    },
    {
      guard: 'emails read with a key that may only send',
      suite: AUTH,
      test: 'with a `sending_access` key opens sending, and nothing else',
      edits: [
        ['caller.guard.ts', "if (caller.permission !== 'full_access' && (!open || refusal))", 'if (open === null)'],
      ],
    },
    {
      guard: 'other routes with a key that may only send',
      suite: 'caller.guard.spec.ts',
      test: 'keeps sending-only callers from routes that are not opened to them',
      edits: [['caller.guard.ts', '(!open || refusal)', 'open === null']],
    },
  ],
};
