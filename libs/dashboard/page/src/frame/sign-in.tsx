import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/client';
import { type Proof, type Session, signIn } from '../api/session';
import { useTitle } from '../hooks/use-title';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';
import './sign-in.css';

interface SignInProps {
  session: Session;
  /** True if a session ended here without a sign-out. */
  wasSignedIn: boolean;
  /** The reason why the link did not sign in. */
  linkError: unknown;
  isLinkPending: boolean;
}

/** Asks for an API key. */
export function SignIn({ session, wasSignedIn, linkError, isLinkPending }: SignInProps) {
  useTitle('Sign in');
  return (
    <main className="sign-in">
      <h1>{wasSignedIn ? 'You were signed out' : 'Sign in'}</h1>
      {wasSignedIn && (
        <p role="status">
          The key was revoked, the session expired or was ended in another tab, or the server was restarted. Emails are
          not affected. Your screen and your input return when you sign in.
        </p>
      )}
      {session.signIn === 'host' ? (
        <p>
          You are not signed in at this host, or your sign-in does not allow this page. Sign in there, then reload this
          page.
        </p>
      ) : (
        <KeyForm linkError={linkError} isLinkPending={isLinkPending} />
      )}
    </main>
  );
}

function KeyForm({ linkError, isLinkPending }: Pick<SignInProps, 'linkError' | 'isLinkPending'>) {
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [token, setToken] = useState('');
  const enter = useMutation({
    mutationFn: (proof: Proof) => signIn(proof, client),
    onError: () => field.current?.select(),
  });
  useEffect(() => field.current?.focus(), []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!enter.isPending) enter.mutate({ token: token.trim() });
  };
  return (
    <>
      {linkError !== null && !isLinkPending && enter.isIdle && (
        <Problem what="The link did not sign you in" error={linkError} />
      )}
      <form className="stack" onSubmit={onSubmit}>
        <Field label="API key" hint="A key with full access, or one for this page. It is not stored in this browser.">
          {(ids) => (
            <input
              {...ids}
              aria-invalid={isRefused(enter.error)}
              ref={field}
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              value={token}
              onChange={({ target }) => setToken(target.value)}
            />
          )}
        </Field>
        <div>
          <button type="submit" className="primary" disabled={isLinkPending}>
            Sign in
          </button>
        </div>
      </form>
      {enter.error && <Problem what="You are not signed in" error={enter.error} />}
    </>
  );
}

/** True if the key is wrong. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
