import { useEffect, useRef } from 'react';
import { CopyButton } from '../../parts/copyable';
import type { MadeKey } from './new-key';

/** The token of a new key, shown only once. It stays until the user confirms that it was copied. */
export function NewToken({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key is announced
  useEffect(() => heading.current?.focus(), [made]);
  return (
    <section className="new-token" aria-labelledby="new-token">
      <h2 id="new-token" ref={heading} tabIndex={-1}>
        The token of “{made.name}”
      </h2>
      <p>Copy it now: it is not shown again, and cannot be looked up. Anyone with the token can use the key.</p>
      <div className="bar">
        <code>{made.token}</code>
        <CopyButton value={made.token} what="the token" />
      </div>
      <div>
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
