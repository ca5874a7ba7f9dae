import type { Hint } from './inbox-api';

/** Addresses for tests, and the effect of each. */
export function HintList({ hints }: { hints: readonly Hint[] }) {
  return (
    <dl>
      {hints.map(({ address, effect }) => (
        <div key={address} style={{ display: 'contents' }}>
          <dt className="mono">{address}</dt>
          <dd>{effect}</dd>
        </div>
      ))}
    </dl>
  );
}
