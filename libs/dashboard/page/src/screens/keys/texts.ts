import type { ApiKey } from '../../api/types';

/** Every text of the API keys screen. */
export const TEXTS = {
  title: 'API keys',
  create: 'Create API key',
  list: 'Keys of the account',
  notListed: 'The API keys could not be listed',
  signedInWith: 'You are signed in with this key',
  neverUsed: 'Never used',
  lastUsed: 'Last used',
  created: 'Created',
  rename: 'Rename',
  revoke: 'Revoke',
  empty: {
    title: 'No API keys yet',
    text: 'Your backend calls the API with a key. Create one here, or through the API with another key:',
  },
  creating: {
    action: 'Create key',
    failure: 'The key was not created',
    name: 'Name',
    nameHint: 'Where the key is used, such as “Backend, production”.',
    permission: 'Permission',
  },
  token: {
    titleOf: (name: string) => `Token of ${name}`,
    text: 'Copy the token now. It is not shown again, and anyone who has it can use the key.',
    what: 'the token',
    done: 'Done',
  },
  renaming: {
    titleOf: (name: string) => `Rename ${name}`,
    action: 'Save',
    failure: 'The name was not saved',
  },
  revoking: {
    titleOf: (name: string) => `Revoke ${name}?`,
    action: 'Revoke key',
    failure: 'The key was not revoked',
    text: 'Programs that use this key are refused within a second, and it cannot be restored. Accepted emails are still sent.',
    own: 'You are signed in with this key and will be signed out.',
  },
} as const;

/** A permission of the API, or a role of a key that opens this page alone. */
export type Use = ApiKey['permission'] | NonNullable<ApiKey['page_role']>;

/** The name of each use of a key, and its limits. */
export const USES: Readonly<Record<Use, { title: string; meaning: string }>> = {
  sending_access: { title: 'Sending only', meaning: 'Can send emails, and read nothing.' },
  full_access: { title: 'Full access', meaning: 'Can use the whole API, including reading all emails.' },
  viewer: { title: 'Page: viewer', meaning: 'Opens this page only, without contents and actions.' },
  support: {
    title: 'Page: support',
    meaning: 'Opens this page only: shows contents, and cancels, retries and resends emails.',
  },
};
