import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useShortcuts } from '../../hooks/use-shortcuts';
import { useTitle } from '../../hooks/use-title';
import { useUrlState } from '../../hooks/use-url-state';
import { ContentsHidden, OnlyFor } from '../../parts/only-for';
import { Panes } from '../../parts/panes';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { useMay } from '../../parts/use-may';
import { DeleteAll } from './delete-all';
import { neighbourOf } from './held-back';
import { deleteMessage, useInbox } from './inbox-api';
import { InboxEmpty } from './inbox-empty';
import { InboxList } from './inbox-list';
import { Message } from './message';
import { useReadMessages } from './read-messages';
import { SearchBox } from './search-box';
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
  useTitle(unread > 0 ? `(${unread}) Inbox` : 'Inbox');
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
      <ScreenHead title="Inbox">
        <SearchBox value={search} onChange={(text) => setState({ search: text })} />
        <OnlyFor needs="admin">
          <DeleteAll
            disabled={inbox.kept === 0}
            onDeleted={() => {
              if (id !== undefined) navigate(hrefOf());
            }}
          />
        </OnlyFor>
      </ScreenHead>
      {deleteError !== undefined && <Problem what="The message could not be deleted" error={deleteError} />}
      {inbox.error && (
        <Problem
          what="The inbox could not be read"
          error={inbox.error}
          meaning="Emails still arrive in it."
          onRetry={() => void inbox.refetch()}
        />
      )}
      {isEmpty ? (
        <InboxEmpty search={search} hints={inbox.hints} />
      ) : (
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
            <Message key={id} id={id} onDelete={() => void removeChosen()} />
          </OnlyFor>
        )
      }
      back={{ href: hrefOf(), title: 'Inbox' }}
    />
  );
}
