import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { useTitle } from '../../hooks/use-title';
import { useUrlState } from '../../hooks/use-url-state';
import { Empty } from '../../parts/empty';
import { ContentsHidden, OnlyFor } from '../../parts/only-for';
import { Panes } from '../../parts/panes';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { ListSkeleton } from '../../parts/skeleton';
import { useMay } from '../../parts/use-may';
import { DeleteAll } from './delete-all';
import { neighbourOf } from './held-back';
import { deleteMessage, useInbox } from './inbox-api';
import { InboxEmpty } from './inbox-empty';
import { InboxList } from './inbox-list';
import { Message } from './message';
import { useReadMessages } from './read-messages';
import { SearchBox } from './search-box';
import { TEXTS } from './texts';
import { useNotifications } from './use-notifications';
import './inbox.css';

/** Messages of the local inbox: the list, with the selected one to the right. */
export default function InboxScreen() {
  const { id } = useParams<{ id?: string }>();
  const [state, setState] = useUrlState();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const may = useMay();
  const search = state.get('search') ?? '';
  const inbox = useInbox(search);
  const { read, markRead } = useReadMessages();
  const [deleteError, setDeleteError] = useState<unknown>();
  const { entries } = inbox;
  const unread = entries.filter((entry) => !read.includes(entry.id)).length;
  useTitle(unread > 0 ? `(${unread}) ${TEXTS.title}` : TEXTS.title);
  const notifications = useNotifications(search === '' ? entries : []);
  useEffect(() => {
    if (id !== undefined) markRead(id);
  }, [id, markRead]);

  const query = state.toString();
  const hrefOf = (entry?: { id: string }) => `/inbox${entry ? `/${entry.id}` : ''}${query && `?${query}`}`;
  const removeChosen = async () => {
    if (id === undefined || !may('admin')) return;
    const next = neighbourOf(entries, id);
    setDeleteError(undefined);
    try {
      await deleteMessage(id, client);
      navigate(hrefOf(next), { replace: true });
    } catch (error) {
      setDeleteError(error);
    }
  };
  useShortcuts({ '#': () => void removeChosen(), Delete: () => void removeChosen() });

  const isEmpty = inbox.isSuccess && entries.length === 0;
  const list = (
    <>
      <ScreenHead title={TEXTS.title}>
        <SearchBox value={search} onChange={(text) => setState({ search: text })} />
        {notifications.isPossible && (
          <button
            type="button"
            aria-pressed={notifications.isOn}
            title={TEXTS.notifyTitle}
            onClick={() => void notifications.toggle()}
          >
            {TEXTS.notify}
          </button>
        )}
        <OnlyFor needs="admin">
          <DeleteAll
            disabled={inbox.kept === 0}
            onDeleted={() => {
              if (id !== undefined) navigate(hrefOf());
            }}
          />
        </OnlyFor>
      </ScreenHead>
      <p role="status" className="inbox-denied">
        {notifications.isDenied && TEXTS.notifyDenied}
      </p>
      {deleteError !== undefined && <Problem what={TEXTS.deleteFailed} error={deleteError} />}
      {inbox.problem !== undefined && (
        <Empty title={TEXTS.notUnderstood}>
          <p>{inbox.problem}</p>
        </Empty>
      )}
      {inbox.error && (
        <Problem
          what={TEXTS.readFailed}
          error={inbox.error}
          meaning={TEXTS.readFailedMeaning}
          onRetry={() => void inbox.refetch()}
        />
      )}
      {inbox.problem === undefined && isEmpty && <InboxEmpty search={search} hints={inbox.hints} />}
      {inbox.isLoading && <ListSkeleton />}
      {inbox.problem === undefined && !isEmpty && !inbox.isLoading && (
        <InboxList inbox={inbox} read={read} chosenId={id} hrefOf={hrefOf} onClose={() => navigate(hrefOf())} />
      )}
    </>
  );
  return (
    <Panes
      list={list}
      detail={
        id !== undefined && (
          <OnlyFor needs="support" else={<ContentsHidden />}>
            <Message key={id} id={id} canRelease={inbox.canRelease} onDelete={() => void removeChosen()} />
          </OnlyFor>
        )
      }
      back={{ href: hrefOf(), title: TEXTS.title }}
    />
  );
}
