import type { ApiKey } from '../../api/types';
import { Time } from '../../parts/time';

interface KeyListProps {
  keys: readonly ApiKey[];
  /** The key that this page is signed in with. */
  ownId: string | undefined;
  onRename: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

/** One line for each key, without its token. */
export function KeyList({ keys, ownId, onRename, onRevoke }: KeyListProps) {
  return (
    <ul className="key-list" aria-label="Keys">
      {keys.map((key) => (
        <li key={key.id}>
          <span className="name">
            {key.name}
            {key.page_role !== null && <span className="soft"> · page: {key.page_role}</span>}
            {key.id === ownId && <span className="soft"> · signed in with it here</span>}
          </span>
          <span className="soft">
            made <Time value={key.created_at} />
          </span>
          <span className="soft">
            {key.last_used_at === null ? (
              'never used'
            ) : (
              <>
                used <Time value={key.last_used_at} />
              </>
            )}
          </span>
          <span className="bar">
            <button type="button" onClick={() => onRename(key)} aria-label={`Rename ${key.name}`}>
              Rename
            </button>
            <button type="button" className="danger" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
              Revoke
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}
