import type { ReactNode } from 'react';
import { TEXTS } from './texts';

/** A figure and its name, in a `dl`. */
export function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div style={{ display: 'contents' }}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** In place of figures that could not be read. */
export function Unknown() {
  return <p className="soft">{TEXTS.unknown}</p>;
}
