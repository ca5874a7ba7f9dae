import type { Threat } from '../guard.js';

const HTTP = 'staging.e2e-spec.ts';
const MODULE = 'emails.module.ts';

export const staging: Threat = {
  title: 'A copy of production that writes to the people in it',
  guards: [
    {
      guard: 'mail to a recipient outside `onlyTo`',
      suite: HTTP,
      test: 'a recipient outside gets no mail, and nobody sees it',
      edits: [[MODULE, '          staging.policies,\n', '']],
    },
    {
      guard: 'mail to a subdomain, or another address, of an entry of `onlyTo`',
      suite: 'allowed-recipients.spec.ts',
      test: '%j does not allow %j',
      edits: [
        [
          'allowed-recipients.ts',
          'this.allowed.has(domainOf(address).toLowerCase())',
          '[...this.allowed].some((entry) => address.endsWith(entry))',
        ],
      ],
    },
    {
      guard: 'mail to a recipient while `redirectAllTo` is set',
      suite: HTTP,
      test: 'a message goes once to that mailbox, and names its recipients',
      edits: [[MODULE, 'wrap: (made) => staging.transport(made)', 'wrap: (made) => made']],
    },
    {
      guard: 'suppressed recipients, because the mailbox of `redirectAllTo` bounced',
      suite: 'settlement.spec.ts',
      test: 'records nothing about the address of a recipient whose message was redirected',
      edits: [
        [
          'settlement.ts',
          "      if (rules.isRedirected) return ['failed', [{ type: 'failed', reason, reasonCode: 'redirect_failed' }]];\n",
          '',
        ],
      ],
    },
    {
      guard: 'suppressed recipients, because of later reports on that mailbox',
      suite: 'reported-recipient.spec.ts',
      test: 'ignores a complaint by the owner of the other mailbox',
      edits: [
        [
          'reported-recipient.ts',
          'isRedirected(recipient, recipients) ? ofRedirected(sent) : sent',
          'sent as Report | undefined',
        ],
      ],
    },
    {
      guard: '`X-Original-To` and `X-Original-Bcc` of a caller',
      suite: HTTP,
      test: 'callers cannot set %s',
      edits: [['is-headers.ts', 'x-original-to|x-original-bcc|', '']],
    },
  ],
};
