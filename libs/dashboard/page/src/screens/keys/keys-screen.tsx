import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { ApiKey } from '../../api/types';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { KeyList } from './key-list';
import { type MadeKey, NewKey } from './new-key';
import { NewToken } from './new-token';
import { RenameKey } from './rename-key';
import { RevokeKey } from './revoke-key';
import { TEXTS } from './texts';
import './keys.css';

/** Rows of one page, the API's limit. */
const PAGE_SIZE = 100;

/** The keys of the account, which allow calls of the API and the sign-in here. */
export default function KeysScreen() {
  const { data: session } = useQuery(sessionQuery);
  const { items, error, isPending, needMore, refetch } = usePages<ApiKey>('api-keys', { limit: PAGE_SIZE });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeKey>();
  const [renamed, setRenamed] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<ApiKey>();
  useEffect(needMore, [needMore]);
  const ownId = session?.key?.id;
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <button type="button" className="primary end" onClick={() => setMaking(true)}>
          {TEXTS.create}
        </button>
      </ScreenHead>
      {made && <NewToken made={made} onDone={() => setMade(undefined)} />}
      {error && <Problem what={TEXTS.notListed} error={error} onRetry={() => void refetch()} />}
      {!error && !isPending && items.length === 0 && (
        <Empty
          title={TEXTS.empty.title}
          curl={curlOf(session?.apiUrl ?? '', 'POST', 'api-keys', { name: 'Backend', permission: 'sending_access' })}
        >
          <p>{TEXTS.empty.text}</p>
        </Empty>
      )}
      {items.length > 0 && <KeyList keys={items} ownId={ownId} onRename={setRenamed} onRevoke={setRevoked} />}
      {isMaking && (
        <NewKey
          onMade={(key) => {
            setMade(key);
            setMaking(false);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {renamed && <RenameKey apiKey={renamed} onClose={() => setRenamed(undefined)} />}
      {revoked && <RevokeKey apiKey={revoked} isOwn={revoked.id === ownId} onClose={() => setRevoked(undefined)} />}
    </>
  );
}
