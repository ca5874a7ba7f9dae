/** Requirements of a screen: features of its host, as in `GET session`, and the route that it reads. */
export const FEATURES = {
  emails: '/emails',
  templates: '/templates',
  topics: '/topics',
  contacts: '/contacts',
  suppressions: '/suppressions',
  // A host without domains answers an empty list.
  domains: '/domains/:id/verify',
  apiKeys: '/api-keys',
  webhooks: '/webhooks',
  actions: '/actions',
  /** An inbox of the host. */
  inbox: undefined,
  /** Operations of the host. */
  operations: undefined,
} as const satisfies Readonly<Record<string, string | undefined>>;

/** Features that a host may have. */
export type Feature = keyof typeof FEATURES;

interface ScreenRow {
  title: string;
  feature: Feature;
  /** Its path below the mount path, and the following segments. */
  path: string;
  below?: string;
  shows: string;
  /** The role that its routes need. Default: viewer. */
  needs?: 'admin';
  /** Reached by links alone, such as the screen of one person. */
  isUnlisted?: true;
  /** Its keys in addition to those of all screens, with their actions. */
  keys?: readonly (readonly [string, string])[];
}

/** Every screen of the page, in the order of the navigation, which has all but the unlisted ones. */
export const SCREENS = {
  inbox: {
    title: 'Inbox',
    feature: 'inbox',
    path: '/inbox',
    below: '/:id?',
    shows: 'what was received in development',
    keys: [
      ['#', 'Delete the message'],
      ['Delete', 'Delete the message'],
    ],
  },
  emails: {
    title: 'Emails',
    feature: 'emails',
    path: '/emails',
    below: '/:id?',
    shows: 'what was sent and what became of it',
    keys: [['x', 'Select the email']],
  },
  person: {
    title: 'Person',
    feature: 'emails',
    path: '/people',
    below: '/:address',
    shows: 'what an address was sent, its last bounce and complaint, its suppression and its contact',
    isUnlisted: true,
  },
  metrics: { title: 'Metrics', feature: 'emails', path: '/metrics', shows: 'recipients in numbers' },
  templates: { title: 'Templates', feature: 'templates', path: '/templates', below: '/:id?', shows: 'templates' },
  topics: { title: 'Topics', feature: 'topics', path: '/topics', below: '/:id?', shows: 'topics' },
  contacts: { title: 'Contacts', feature: 'contacts', path: '/contacts', below: '/:id?', shows: 'contacts' },
  suppressions: {
    title: 'Suppressions',
    feature: 'suppressions',
    path: '/suppressions',
    below: '/:id?',
    shows: 'addresses that get no mail, and why',
  },
  domains: {
    title: 'Domains',
    feature: 'domains',
    path: '/domains',
    below: '/:id?',
    shows: 'domains, their DNS records and keys',
  },
  webhooks: {
    title: 'Webhooks',
    feature: 'webhooks',
    path: '/webhooks',
    below: '/:id?/:eventId?',
    shows: 'webhooks and their logs',
    needs: 'admin',
  },
  keys: { title: 'API keys', feature: 'apiKeys', path: '/keys', shows: 'API keys', needs: 'admin' },
  activity: {
    title: 'Activity log',
    feature: 'actions',
    path: '/activity',
    shows: 'who changed what',
    needs: 'admin',
  },
  health: { title: 'Health', feature: 'operations', path: '/health', shows: 'how the system is, for operators' },
  start: {
    title: 'Start',
    feature: 'inbox',
    path: '/start',
    shows: 'the way to a first email, in development',
    needs: 'admin',
  },
} as const satisfies Readonly<Record<string, ScreenRow>>;

/** The name of a screen. */
export type ScreenName = keyof typeof SCREENS;

/** The same as a list. */
export const SCREEN_ROWS = Object.entries<ScreenRow>(SCREENS) as [ScreenName, ScreenRow][];
