import type { PageRole } from 'nestjs-emails/facts';

/** Texts around the screens. */
export const TEXTS = {
  product: 'nestjs-emails',
  account: 'Account',
  environment: 'Mail goes to',
  navigation: 'Screens',
  skip: 'Skip to the content',
  more: 'More',
  shortcuts: 'Shortcuts',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in',
  theme: 'Theme',
  themes: { system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  away: 'The server does not answer. This page continues automatically when it does.',
  opening: 'Opening',
  notOpened: 'The page could not be opened',
  screenFailed: (title: string) => `${title} could not be shown`,
  screenFailedMeaning: 'The host may have been updated: reload the page. Your emails are not affected.',
  nothing: {
    title: 'Nothing here',
    heading: 'There is nothing at this address',
    text: 'The link may belong to another version of this page, to a feature that this host does not have, or to a screen that your role does not show.',
    home: 'Go to the first screen',
  },
  outage: { details: 'See health' },
  paused: {
    everything: 'All mail is paused: emails are accepted, and wait.',
    account: 'The mail of this account is paused: emails are accepted, and wait.',
    since: 'since',
  },
  goTo: {
    title: 'Go to',
    field: 'Screen, address or id',
    placeholder: 'Screen, email address or id',
    shortcut: 'Go to…',
    screens: 'Results',
    emailsTo: (address: string) => `Emails to ${address}`,
    person: (address: string) => `Person ${address}`,
    email: (id: string) => `Email ${id}`,
    none: 'Nothing matches. Type a screen, an email address, or an id.',
  },
  signIn: {
    title: 'Sign in',
    lead: 'See your emails, and what happened to each of them.',
    ended: 'You were signed out',
    endedMeaning:
      'The key was revoked, the session expired or was ended in another tab, or the server was restarted. Emails are not affected. Your screen and your input return when you sign in.',
    host: 'You are not signed in at this host, or your sign-in does not allow this page. Sign in there, then reload this page.',
    reload: 'Reload',
    linkFailed: 'The link did not sign you in',
    key: 'API key',
    keyHint: 'A key with full access, or one for this page. It is not stored in this browser.',
    action: 'Sign in',
    failed: 'You are not signed in',
  },
  keys: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    all: [
      ['/', 'Search or filter'],
      ['j', 'Next'],
      ['k', 'Previous'],
      ['Enter', 'Open'],
      ['Esc', 'Back'],
      ['Ctrl K', 'Go to a screen, an email or a person'],
      ['?', 'Keyboard shortcuts'],
    ],
  },
} as const;

/** Limits of each role. */
export const ROLE_LIMITS: Readonly<Record<PageRole, string | undefined>> = {
  viewer:
    'You are signed in as a viewer: contents are not shown, and nothing can be changed. Webhooks, API keys and the activity log are for admins.',
  support:
    'You are signed in as support: you can cancel, retry, resend and share emails, and change nothing else. Webhooks, API keys and the activity log are for admins.',
  admin: undefined,
};
