import { useState } from 'react';
import { CopyButton } from '../../parts/copyable';
import { TEXTS } from './texts';

/** Secret that signs requests: hidden until the user reveals it. */
export function SigningSecret({ secret }: { secret: string | undefined }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="signing-secret bar">
      <span className="soft">{TEXTS.secret}</span>
      <code>{isShown && secret !== undefined ? secret : TEXTS.hidden}</code>
      <button type="button" className="quiet" disabled={secret === undefined} onClick={() => setShown(!isShown)}>
        {isShown ? TEXTS.hide : TEXTS.show}
      </button>
      {secret !== undefined && <CopyButton value={secret} what={TEXTS.theSecret} />}
    </div>
  );
}
