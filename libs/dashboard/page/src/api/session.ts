import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { PageRole } from 'nestjs-emails/facts';
import type { Feature } from '../../../src/screens';
import type { DashboardDegradation, DashboardPause, DashboardStaging } from '../../../src/status/dashboard-status';
import { ask, forgetPageToken, keepPageToken } from './client';

/** Features of this host: the page hides the others. */
export type Features = Readonly<Record<Feature, boolean>> & {
  /** The host says that mail is late or paused, or that its staging switch is on. */
  readonly status?: boolean;
  /** The host has unsubscribe links, with a page of choices. */
  readonly choices?: boolean;
};

export interface Session {
  /** The kind of sign-in: this page with a key, or the host in its own way. */
  signIn: 'key' | 'host';
  signedIn: boolean;
  permission: 'full_access' | 'sending_access' | null;
  /** Role of the visitor; null without a sign-in. */
  role: PageRole | null;
  /** Distinguishes accounts; null without a sign-in. */
  account: string | null;
  /** Name of the account, and of the place that mail goes to; null if the host does not say it. */
  account_name: string | null;
  environment: string | null;
  key: { id: string } | null;
  expires_at: string | null;
  features: Features;
  /** Why mail is late at the time of the answer. */
  degraded: DashboardDegradation | null;
  /** The staging switch at the time of the answer. */
  staging: DashboardStaging | null;
  /** The pause of the visitor's mail at the time of the answer. */
  paused: DashboardPause | null;
  /** Version of the dashboard. */
  version: string;
  /** Base address of the API, for commands to paste. */
  apiUrl: string;
  /** Set by this page: whether the user signed out. */
  hasLeft?: true;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask<Session>('GET', 'session', { signal }),
  staleTime: 60_000,
  refetchInterval: 300_000,
});

/** Credentials of a session: a key, or the code of a link that works once. */
export type Proof = { token: string } | { code: string };

const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionQuery.queryKey[0];

/**
 * Opens a session. Shown data is asked for again, and forgotten at once when it belonged to another key.
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

/** Ends the session and drops its cached data. @throws ApiProblem when the session is still valid */
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
          role: null,
          account: null,
          account_name: null,
          environment: null,
          key: null,
          expires_at: null,
          hasLeft: true as const,
        },
  );
  forgetAnswers(client);
}

/** Drops all data of the signed-in account. */
export function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: isOther });
}
