import { useState } from 'react';
import { CopyButton } from '../../parts/copyable';

/** What requests are signed with: hidden from whoever looks over a shoulder until it is asked for. */
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
