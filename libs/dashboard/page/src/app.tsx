import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MapPinOff } from 'lucide-react';
import { Activity, Suspense, useEffect, useState } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import type { Session } from './api/session';
import { forgetAnswers, sessionQuery } from './api/session';
import { Arrival } from './frame/arrival';
import { AwayNotice } from './frame/away-notice';
import { useFirstSteps } from './frame/first-steps';
import { Frame } from './frame/frame';
import { useOtherTabs } from './frame/other-tabs';
import { ScreenBoundary } from './frame/screen-boundary';
import { screensOf } from './frame/screens';
import { SignIn } from './frame/sign-in';
import { useSignInLink } from './frame/sign-in-link';
import { TEXTS } from './frame/texts';
import { useTitle } from './hooks/use-title';
import { Empty } from './parts/empty';
import { Problem } from './parts/problem';
import { ScreenHead } from './parts/screen-head';
import { ListSkeleton } from './parts/skeleton';
import { ToastProvider } from './parts/toast';

/**
 * Identifies the visitor, then shows the screens of this host. After a session has ended, everything returns to its
 * former state once the visitor signs in again: the screens stay mounted. A visitor of another account finds no data of
 * it.
 *
 * @param code of the link that opened the page
 */
export function App({ code }: { code: string | undefined }) {
  const link = useSignInLink(code);
  const { data: session, error, refetch } = useQuery({ ...sessionQuery, enabled: !link.isOpening });
  const [shown, setShown] = useState<Session>();
  const isAnotherAccount = session?.signedIn === true && shown !== undefined && session.account !== shown.account;
  if (session?.signedIn && session !== shown && !isAnotherAccount) setShown(session);
  if (session?.hasLeft && shown) setShown(undefined);
  const client = useQueryClient();
  // By then the screens of the former visitor are unmounted, with their form input.
  useEffect(() => {
    if (!isAnotherAccount) return;
    forgetAnswers(client);
    setShown(undefined);
  }, [isAnotherAccount, client]);
  useOtherTabs();
  return (
    <>
      <AwayNotice />
      {session === undefined &&
        (error ? (
          <main>
            <h1 className="only-read">{TEXTS.product}</h1>
            <Problem what={TEXTS.notOpened} error={error} onRetry={() => void refetch()} />
          </main>
        ) : (
          <p className="only-read" role="status">
            {TEXTS.opening}
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
      {shown && !isAnotherAccount && (
        <Activity mode={session?.signedIn ? 'visible' : 'hidden'}>
          <ToastProvider>
            <Screens session={shown} />
          </ToastProvider>
        </Activity>
      )}
    </>
  );
}

function Screens({ session }: { session: Session }) {
  const screens = screensOf(session);
  const { shown, first } = useFirstSteps(screens);
  return (
    <Frame session={session} screens={shown}>
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
          <Title text={TEXTS.nothing.title} />
          <ScreenHead title={TEXTS.nothing.title} />
          <Empty icon={MapPinOff} title={TEXTS.nothing.heading}>
            <p>{TEXTS.nothing.text}</p>
            <p>
              <Link href="/">{TEXTS.nothing.home}</Link>
            </p>
          </Empty>
        </Route>
      </Switch>
    </Frame>
  );
}

/** The head of the screen appears before the rest. */
function Loading({ title }: { title: string }) {
  return (
    <>
      <ScreenHead title={title} />
      <ListSkeleton />
    </>
  );
}

function Title({ text }: { text: string }) {
  useTitle(text);
  return null;
}
