import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem, ask } from '../../api/client';
import { Field } from '../../parts/field';
import { Problem } from '../../parts/problem';
import { TEXTS } from './texts';

const texts = TEXTS.signIn;

interface OperatorSignInProps {
  /** True if the report was shown before. */
  wasIn: boolean;
  onOpened: () => void;
}

/** Asks for the operators' token, and again after it was changed or its hour has ended. */
export function OperatorSignIn({ wasIn, onOpened }: OperatorSignInProps) {
  const field = useRef<HTMLInputElement>(null);
  const [token, setToken] = useState('');
  const open = useMutation({
    mutationFn: () => ask('POST', 'operations/session', { body: { token: token.trim() } }),
    onSuccess: onOpened,
    onError: () => field.current?.select(),
  });
  const refusal = open.error instanceof ApiProblem && open.error.status === 403 ? open.error.message : undefined;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!open.isPending) open.mutate();
  };
  return (
    <form className="stack operator" onSubmit={onSubmit}>
      <p>{wasIn ? texts.expired : texts.explanation}</p>
      <Field label={texts.token} hint={texts.hint} error={refusal}>
        {(ids) => (
          <input
            {...ids}
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
        <button type="submit" className="primary">
          {texts.action}
        </button>
      </div>
      {open.error && refusal === undefined && <Problem what={texts.failure} error={open.error} />}
    </form>
  );
}
