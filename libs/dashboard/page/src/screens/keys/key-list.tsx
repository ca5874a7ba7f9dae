import type { ApiKey } from '../../api/types';
import { Time } from '../../parts/time';
import { TEXTS, USES, type Use } from './texts';

interface KeyListProps {
  keys: readonly ApiKey[];
  /** The key that this page is signed in with. */
  ownId: string | undefined;
  onRename: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

/** Two lines for each key, with the first characters of its token. */
export function KeyList({ keys, ownId, onRename, onRevoke }: KeyListProps) {
  return (
    <ul className="key-list" aria-label={TEXTS.list}>
      {keys.map((key) => (
        <li key={key.id}>
          <span className="key-names">
            <bdi className="name">{key.name}</bdi>
            <span className="soft mono">{key.token_start}…</span>
            {key.id === ownId && <span className="soft">{TEXTS.signedInWith}</span>}
          </span>
          <KeyUse use={key.page_role ?? key.permission} />
          <span className="soft">
            {TEXTS.created} <Time value={key.created_at} />
          </span>
          <span className="soft">
            {key.last_used_at === null ? (
              TEXTS.neverUsed
            ) : (
              <>
                {TEXTS.lastUsed} <Time value={key.last_used_at} />
              </>
            )}
          </span>
          <span className="bar">
            <button type="button" onClick={() => onRename(key)} aria-label={`${TEXTS.rename} ${key.name}`}>
              {TEXTS.rename}
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => onRevoke(key)}
              aria-label={`${TEXTS.revoke} ${key.name}`}
            >
              {TEXTS.revoke}
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function KeyUse({ use }: { use: Use }) {
  return <span title={USES[use].meaning}>{USES[use].title}</span>;
}
