import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Session } from './api/session';
import { sessionQuery } from './api/session';
import { Frame } from './frame/frame';
import { ScreenBoundary } from './frame/screen-boundary';
import { screensOf } from './frame/screens';
import { SignIn } from './frame/sign-in';
import { Empty } from './parts/empty';
import { Problem } from './parts/problem';

/** Asks who is there, then shows the screens of what this host has. */
export function App() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session === undefined) {
    return error ? (
      <Problem what="The page could not be opened" error={error} onRetry={() => void refetch()} />
    ) : (
      <p className="only-read" role="status">
        Opening
      </p>
    );
  }
  return session.signedIn ? <Screens session={session} /> : <SignIn session={session} />;
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
              <Suspense fallback={<p className="only-read">Loading</p>}>
                <Screen />
              </Suspense>
            </ScreenBoundary>
          </Route>
        ))}
        <Route path="/">{first ? <Redirect to={first.path} replace /> : null}</Route>
        <Route>
          <Empty title="There is nothing at this address">
            <p>The link may be of another version of this page, or of something that this host does not have.</p>
          </Empty>
        </Route>
      </Switch>
    </Frame>
  );
}

function Title({ text }: { text: string }) {
  useEffect(() => {
    document.title = `${text} · Emails`;
  }, [text]);
  return null;
}
