import type { Threat } from '../guard.js';

export const alarms: Threat = {
  title: 'Alarms by email that an account keeps back',
  guards: [
    {
      guard: 'alarms by email beyond a quota',
      suite: 'emails-options.spec.ts',
      test: 'has quotas for all accounts but that of alarms',
      edits: [
        [
          'emails-options.ts',
          'accountId === ALARM_ACCOUNT ? undefined : perDay',
          "accountId === '' ? undefined : perDay",
        ],
      ],
    },
    {
      guard: 'alarms by email to a suppressed address',
      suite: 'suppression-list.spec.ts',
      test: 'allows all addresses of an exempt account, and asks nothing about them',
      edits: [
        [
          'suppression-list.ts',
          'if (this.options.exemptAccounts?.includes(accountId)) return addresses.map(() => ALLOWED);',
          '',
        ],
      ],
    },
    {
      guard: 'an address that is suppressed by an alarm',
      suite: 'suppressing.subscription.spec.ts',
      test: 'neither adds nor counts anything of an exempt account',
      edits: [['suppressing.subscription.ts', '!exemptAccounts.includes(event.accountId)', 'event !== exemptAccounts']],
    },
  ],
};
