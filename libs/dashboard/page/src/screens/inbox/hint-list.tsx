import type { Hint } from './inbox-api';

/** What addresses can be sent to, and what becomes of it. */
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
