import { useState } from 'react';
import { CopyButton } from '../../parts/copyable';

/** Secret that signs requests: hidden until the user reveals it. */
export function SigningSecret({ secret }: { secret: string | undefined }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="signing-secret bar">
      <span className="soft">Signing secret</span>
      <code>{isShown && secret !== undefined ? secret : 'whsec_••••••••'}</code>
      <button type="button" className="quiet" disabled={secret === undefined} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </button>
      {secret !== undefined && <CopyButton value={secret} what="the signing secret" />}
    </div>
  );
}
