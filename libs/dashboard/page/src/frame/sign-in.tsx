import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/client';
import { type Proof, type Session, signIn } from '../api/session';
import { useTitle } from '../hooks/use-title';
import { Field } from '../parts/field';
import { Problem } from '../parts/problem';
import { Place } from './place';
import { TEXTS } from './texts';
import './sign-in.css';

const texts = TEXTS.signIn;

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
  useTitle(texts.title);
  return (
    <main className="sign-in">
      <Place />
      <h1>{wasSignedIn ? texts.ended : texts.title}</h1>
      {wasSignedIn ? <p role="status">{texts.endedMeaning}</p> : <p className="soft">{texts.lead}</p>}
      {session.signIn === 'host' ? (
        <>
          <p>{texts.host}</p>
          <div>
            <button type="button" onClick={() => location.reload()}>
              {texts.reload}
            </button>
          </div>
        </>
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
      {linkError !== null && !isLinkPending && enter.isIdle && <Problem what={texts.linkFailed} error={linkError} />}
      <form className="stack" onSubmit={onSubmit}>
        <Field label={texts.key} hint={texts.keyHint}>
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
            {texts.action}
          </button>
        </div>
      </form>
      {enter.error && <Problem what={texts.failed} error={enter.error} />}
    </>
  );
}

/** True if the key is wrong. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
