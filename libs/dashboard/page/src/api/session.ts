import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, forgetPageToken, keepPageToken } from './client';

/** What this host has: the page shows nothing of the rest. */
export interface Features {
  emails: boolean;
  templates: boolean;
  topics: boolean;
  contacts: boolean;
  apiKeys: boolean;
  webhooks: boolean;
  inbox: boolean;
  operations: boolean;
}

export interface Session {
  /** Who asks whoever comes: this page for a key, or the host in its own way. */
  signIn: 'key' | 'host';
  signedIn: boolean;
  permission: 'full_access' | 'sending_access' | null;
  key: { id: string } | null;
  expires_at: string | null;
  features: Features;
  /** Version of the dashboard. */
  version: string;
  /** Where the API begins, for what is to be pasted. */
  apiUrl: string;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask<Session>('GET', 'session', { signal }),
  staleTime: 60_000,
  refetchInterval: 300_000,
});

/** Signs in with a key, or with the code of a link that does so once. @throws ApiProblem */
export async function signIn(proof: { token: string } | { code: string }, client: QueryClient): Promise<void> {
  const { page_token: token, ...session } = await ask<Session & { page_token: string }>('POST', 'session', {
    body: proof,
  });
  keepPageToken(token);
  client.setQueryData(sessionQuery.queryKey, session);
}

/** Ends the session here and forgets all that was shown in it. */
export async function signOut(client: QueryClient): Promise<void> {
  await ask('DELETE', 'session');
  forgetPageToken();
  client.clear();
}
