import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { Link } from 'wouter';
import { usePages } from '../../api/pages';
import { sessionQuery } from '../../api/session';
import type { Action } from '../../api/types';
import { useUrlState } from '../../hooks/use-url-state';
import { Empty } from '../../parts/empty';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { ListSkeleton } from '../../parts/skeleton';
import { ActionFilter } from './action-filter';
import { ActionRow } from './action-row';
import { TEXTS } from './texts';
import { useKeyNames } from './use-key-names';
import './activity.css';

/** The changes of the account with their authors, newest first. */
export default function ActivityScreen() {
  const [state, change] = useUrlState();
  const action = state.get('action') ?? '';
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <ActionFilter action={action} onChoose={(chosen) => change({ action: chosen })} />
      </ScreenHead>
      <Changes action={action} />
    </>
  );
}

function Changes({ action }: { action: string }) {
  const { data: session } = useQuery(sessionQuery);
  const names = useKeyNames();
  const pages = usePages<Action>('actions', { query: { action }, limit: 50 });
  const { items, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, needMore, refetch } = pages;
  if (isPending && !error) return <ListSkeleton />;
  return (
    <div className="activity">
      {error && <Problem what={TEXTS.notListed} error={error} meaning={TEXTS.meaning} onRetry={() => void refetch()} />}
      {!error && items.length === 0 && <NoChanges action={action} />}
      {session && items.length > 0 && (
        <>
          <p className="soft lead">{TEXTS.lead}</p>
          <ul aria-label={TEXTS.list} aria-busy={isPlaceholderData}>
            {items.map((one) => (
              <ActionRow key={one.id} action={one} features={session.features} names={names} />
            ))}
          </ul>
        </>
      )}
      {hasNextPage && (
        <button type="button" className="more" disabled={isFetchingNextPage} onClick={needMore}>
          {TEXTS.more}
        </button>
      )}
    </div>
  );
}

function NoChanges({ action }: { action: string }) {
  if (action === '') {
    return (
      <Empty icon={History} title={TEXTS.empty.title}>
        <p>{TEXTS.empty.text}</p>
      </Empty>
    );
  }
  return (
    <Empty icon={History} title={TEXTS.noneOf.title}>
      <p>
        <Link href="/activity">{TEXTS.noneOf.showAll}</Link>
      </p>
    </Empty>
  );
}
