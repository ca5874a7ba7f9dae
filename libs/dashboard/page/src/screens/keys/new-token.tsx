import { useEffect, useRef } from 'react';
import { CopyButton } from '../../parts/copyable';
import type { MadeKey } from './new-key';
import { TEXTS } from './texts';

/** The token of a new key, shown only once. It stays until the user confirms that it was copied. */
export function NewToken({ made, onDone }: { made: MadeKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key is announced
  useEffect(() => heading.current?.focus(), [made]);
  return (
    <section className="new-token" aria-labelledby="new-token">
      <h2 id="new-token" ref={heading} tabIndex={-1}>
        {TEXTS.token.titleOf(made.name)}
      </h2>
      <p>{TEXTS.token.text}</p>
      <div className="bar">
        <code>{made.token}</code>
        <CopyButton value={made.token} what={TEXTS.token.what} />
      </div>
      <div>
        <button type="button" onClick={onDone}>
          {TEXTS.token.done}
        </button>
      </div>
    </section>
  );
}
