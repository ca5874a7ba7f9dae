import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Activity, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Session } from './api/session';
import { forgetAnswers, sessionQuery } from './api/session';
import { Arrival } from './frame/arrival';
import { AwayNotice } from './frame/away-notice';
import { Frame } from './frame/frame';
import { useOtherTabs } from './frame/other-tabs';
import { ScreenBoundary } from './frame/screen-boundary';
import { screensOf } from './frame/screens';
import { SignIn } from './frame/sign-in';
import { useSignInLink } from './frame/sign-in-link';
import { useTitle } from './hooks/use-title';
import { Empty } from './parts/empty';
import { Problem } from './parts/problem';
import { ScreenHead } from './parts/screen-head';

/**
 * Asks who is there, then shows the screens of what this host has. Who is signed out without having asked for it finds all as
 * it was, once signed in again: the screens wait behind. Somebody of another account finds nothing of it.
 *
 * @param code of the link that the page was opened by
 */
export function App({ code }: { code: string | undefined }) {
  const link = useSignInLink(code);
  const { data: session, error, refetch } = useQuery({ ...sessionQuery, enabled: !link.isOpening });
  const [shown, setShown] = useState<Session>();
  const isSomebodyElse = session?.signedIn === true && shown !== undefined && session.account !== shown.account;
  if (session?.signedIn && session !== shown && !isSomebodyElse) setShown(session);
  if (session?.hasLeft && shown) setShown(undefined);
  const client = useQueryClient();
  // The screens of who was here before are gone by then, with what stood in their forms.
  useEffect(() => {
    if (!isSomebodyElse) return;
    forgetAnswers(client);
    setShown(undefined);
  }, [isSomebodyElse, client]);
  useOtherTabs();
  return (
    <>
      <AwayNotice />
      {session === undefined &&
        (error ? (
          <main>
            <h1 className="only-read">Emails</h1>
            <Problem what="The page could not be opened" error={error} onRetry={() => void refetch()} />
          </main>
        ) : (
          <p className="only-read" role="status">
            Opening
          </p>
        ))}
      {session?.signedIn === false && (
        <SignIn
          session={session}
          wasSignedIn={shown !== undefined}
          linkError={link.error}
          isLinkPending={link.isPending}
        />
      )}
      {shown && !isSomebodyElse && (
        <Activity mode={session?.signedIn ? 'visible' : 'hidden'}>
          <Screens session={shown} />
        </Activity>
      )}
    </>
  );
}

function Screens({ session }: { session: Session }) {
  const screens = screensOf(session.features);
  const first = screens[0];
  return (
    <Frame session={session} screens={screens}>
      <Switch>
        {screens.map(({ path, pattern, title, Screen }) => (
          <Route key={path} path={pattern}>
            <Title text={title} />
            <ScreenBoundary key={path} title={title}>
              <Suspense fallback={<Loading title={title} />}>
                <Screen />
                <Arrival />
              </Suspense>
            </ScreenBoundary>
          </Route>
        ))}
        <Route path="/">{first ? <Redirect to={first.path} replace /> : null}</Route>
        <Route>
          <Title text="Nothing here" />
          <ScreenHead title="Nothing here" />
          <Empty title="There is nothing at this address">
            <p>The link may be of another version of this page, or of something that this host does not have.</p>
          </Empty>
        </Route>
      </Switch>
    </Frame>
  );
}

/** The head of the screen is there before the rest of it. */
function Loading({ title }: { title: string }) {
  return (
    <>
      <ScreenHead title={title} />
      <p className="only-read">Loading</p>
    </>
  );
}

function Title({ text }: { text: string }) {
  useTitle(text);
  return null;
}
