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
  /** Tells accounts apart; null for who is not signed in. */
  account: string | null;
  key: { id: string } | null;
  expires_at: string | null;
  features: Features;
  /** Version of the dashboard. */
  version: string;
  /** Where the API begins, for what is to be pasted. */
  apiUrl: string;
  /** Set by this page: whether it was asked to sign out. */
  hasLeft?: true;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask<Session>('GET', 'session', { signal }),
  staleTime: 60_000,
  refetchInterval: 300_000,
});

/** What opens a session: a key, or the code of a link that does so once. */
export type Proof = { token: string } | { code: string };

const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionQuery.queryKey[0];

/**
 * Opens a session. What was shown before is asked for anew, and forgotten at once when it was another key's that still held.
 *
 * @throws ApiProblem
 */
export async function signIn(proof: Proof, client: QueryClient): Promise<void> {
  const { page_token: token, ...session } = await ask<Session & { page_token: string }>('POST', 'session', {
    body: proof,
  });
  keepPageToken(token);
  await client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData(sessionQuery.queryKey, session);
  void client.invalidateQueries({ predicate: isOther });
}

/** Ends the session here and forgets all that was shown in it. @throws ApiProblem when it still holds */
export async function signOut(client: QueryClient): Promise<void> {
  await ask('DELETE', 'session');
  forgetPageToken();
  await client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData(sessionQuery.queryKey, (session) =>
    session === undefined
      ? undefined
      : {
          ...session,
          signedIn: false,
          permission: null,
          account: null,
          key: null,
          expires_at: null,
          hasLeft: true as const,
        },
  );
  forgetAnswers(client);
}

/** Forgets all that was read for who was signed in. */
export function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: isOther });
}
