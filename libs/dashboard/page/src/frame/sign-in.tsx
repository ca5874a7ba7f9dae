import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Session, signIn } from '../api/session';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';
import './sign-in.css';

/** Asks for an API key, unless a link that signs in once led here. */
export function SignIn({ session }: { session: Session }) {
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const enter = useMutation({
    mutationFn: (proof: { token: string } | { code: string }) => signIn(proof, client),
  });
  const code = useRef(codeInAddress());
  const { mutate } = enter;
  useEffect(() => {
    const once = code.current;
    if (once === undefined) return;
    code.current = undefined;
    history.replaceState(history.state, '', location.pathname + location.search);
    mutate({ code: once });
  }, [mutate]);

  if (session.signIn === 'host') {
    return (
      <main className="sign-in">
        <h1>Emails</h1>
        <p>You are not signed in at this host, or not in a way that this page may be used with.</p>
      </main>
    );
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ token: token.trim() });
  };
  return (
    <main className="sign-in">
      <h1>Emails</h1>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="API key" hint="One with full access. It is not kept in this browser.">
          {(ids) => (
            <input
              {...ids}
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
          <button type="submit" className="primary" disabled={enter.isPending}>
            Sign in
          </button>
        </div>
      </form>
      {enter.error && <Problem what="You are not signed in" error={enter.error} />}
    </main>
  );
}

/** The code of a link that signs in once. It is in the fragment, which no server and no log sees. */
function codeInAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
}
