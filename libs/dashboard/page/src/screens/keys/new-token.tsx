import { useEffect, useRef } from 'react';
import { CopyButton } from '../../parts/copyable';
import type { MadeKey } from './new-key';

/** The token of a new key, shown this once. It stays until it is said that it was taken. */
export function NewToken({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key is told of
  useEffect(() => heading.current?.focus(), [made]);
  return (
    <section className="new-token" aria-labelledby="new-token">
      <h2 id="new-token" ref={heading} tabIndex={-1}>
        The token of “{made.name}”
      </h2>
      <p>Copy it now: it is not shown again, and nobody can look it up. Whoever has it may use the key.</p>
      <div className="bar">
        <code>{made.token}</code>
        <CopyButton value={made.token} what="the token" />
      </div>
      <div>
        <button type="button" onClick={onDone}>
          I have it
        </button>
      </div>
    </section>
  );
}
