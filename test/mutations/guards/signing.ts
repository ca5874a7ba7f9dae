import type { Threat } from '../guard.js';

const STAGE_TESTS = 'dkim.stage.spec.ts';
const FORGED = 'has no valid signature with %s';
const SENDERS = 'policy.spec.ts';

export const signing: Threat = {
  title: "Mail in another's name, and mail that was changed on its way",
  guards: [
    {
      guard: 'unsigned mail of a domain whose key cannot sign',
      suite: STAGE_TESTS,
      test: 'sends nothing unsigned for a key %s, and notes it',
      edits: [
        [
          'dkim.stage.ts',
          'if (error instanceof CannotSign) this.faults.failed(accountId, fromDomain, error);',
          'if (error instanceof CannotSign) return undefined as T;',
        ],
      ],
    },
    {
      guard: 'fields that are added to a signed message',
      suite: STAGE_TESTS,
      test: FORGED,
      edits: [['signed-fields.ts', '    sign(name);\n    names.push(name);\n', '    sign(name);\n']],
    },
    {
      guard: 'a changed body of a signed message',
      suite: STAGE_TESTS,
      test: FORGED,
      edits: [['relaxed-body.ts', 'this.hash.update(bytes);\n  }\n\n  private lineEnds', '}\n\n  private lineEnds']],
    },
    {
      guard: 'a Feedback-ID without a signature',
      suite: STAGE_TESTS,
      test: 'adds a Feedback-ID under the signature, unless the caller has one',
      edits: [['signed-fields.ts', '  for (const name of IF_PRESENT) sign(name);\n', '']],
    },
    {
      guard: 'a domain that is not verified, with `from: verified`',
      suite: SENDERS,
      test: 'refuses %s',
      edits: [
        [
          'verified-senders.policy.ts',
          "if (domain?.status === 'verified' && domain.sending) return",
          'if (domain) return',
        ],
      ],
    },
    {
      guard: 'another domain than that of the API key',
      suite: 'bound-keys.policy.spec.ts',
      test: 'refuses %s',
      edits: [
        ['bound-keys.policy.ts', 'if ((await this.directory.nameOf(accountId, domainId)) === name)', 'if (name)'],
      ],
    },
    {
      guard: 'a bound API key where nothing knows its domain',
      suite: 'api-key.guard.spec.ts',
      test: 'refuses a key that is bound to a domain where nothing knows the domains',
      edits: [
        ['refuse-bound-key.ts', 'if (caller.domainId === undefined || directory !== undefined) return;', 'return;'],
      ],
    },
    {
      guard: 'mail in clear of a domain that enforces TLS',
      suite: 'smtp-tls.spec.ts',
      test: 'a message of a domain that enforces TLS is sent with TLS, and refused without',
      edits: [['smtp-transaction.ts', 'if (requireTls && !isSecure) {', 'if (requireTls === true && !isSecure) {']],
    },
    {
      guard: 'bounces to a return path below a domain without a valid token',
      suite: 'feedback-listener.spec.ts',
      test: 'accepts a token at any domain where accounts have domains, and nothing else',
      edits: [
        [
          'feedback-listener.ts',
          'const read = token === undefined ? undefined : this.tokens.read(token);',
          'const read = token === undefined ? undefined : { recipient: 0 };',
        ],
      ],
    },
  ],
};
