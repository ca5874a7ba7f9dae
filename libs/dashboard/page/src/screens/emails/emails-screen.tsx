import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { sessionQuery } from '../../api/session';
import { useUrlState } from '../../hooks/use-url-state';
import { StateBadge } from '../../parts/badge';
import { curlOf } from '../../parts/curl';
import { Empty } from '../../parts/empty';
import { OnlyFor } from '../../parts/only-for';
import { Panes } from '../../parts/panes';
import { Problem } from '../../parts/problem';
import { ROW_HEIGHT, Row } from '../../parts/row';
import { ScreenHead } from '../../parts/screen-head';
import { DetailSkeleton, ListSkeleton } from '../../parts/skeleton';
import { Time } from '../../parts/time';
import { VirtualList } from '../../parts/virtual-list';
import type { EmailRow } from './email-row';
import { FilterField } from './filter-field';
import { readFilters } from './filters';
import { SendTest } from './send-test';
import { useEmails } from './use-emails';
import './emails.css';

const EmailDetail = lazy(() => import('./email/email-detail'));

const EXAMPLE = {
  from: 'You <you@example.com>',
  to: 'delivered@example.com',
  subject: 'Hello',
  html: '<p>It <b>works</b>.</p>',
};

/** Emails, newest first, with the selected one to the right. */
export default function EmailsScreen() {
  const { id } = useParams<{ id?: string }>();
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = search === '' ? '' : `?${search}`;
  const back = `/emails${query}`;
  return (
    <Panes
      back={{ href: back, title: 'Emails' }}
      list={<EmailList chosenId={id} query={query} onClose={() => navigate(back)} />}
      detail={
        id !== undefined && (
          <Suspense fallback={<DetailSkeleton />}>
            <EmailDetail key={id} id={id} />
          </Suspense>
        )
      }
    />
  );
}

interface EmailListProps {
  chosenId: string | undefined;
  query: string;
  onClose: () => void;
}

function EmailList({ chosenId, query, onClose }: EmailListProps) {
  const [state, change] = useUrlState();
  const text = state.get('q') ?? '';
  const filters = useMemo(() => readFilters(text), [text]);
  const [isAway, setAway] = useState(false);
  const [isSending, setSending] = useState(false);
  const [shown, setShown] = useState(0);
  const emails = useEmails(filters.query, isAway);
  const { rows, error } = emails;
  const showHeld = () => {
    emails.showHeld();
    setAway(false);
    setShown(shown + 1);
  };
  return (
    <>
      <ScreenHead title="Emails">
        <OnlyFor needs="admin">
          <button type="button" className="end" onClick={() => setSending(true)}>
            Send a test
          </button>
        </OnlyFor>
        <FilterField text={text} filters={filters} onChange={(q) => change({ q })} />
      </ScreenHead>
      {emails.heldCount > 0 && (
        <button type="button" className="held" onClick={showHeld}>
          {emails.heldCount} new
        </button>
      )}
      {error && <Problem what="The emails could not be listed" error={error} onRetry={emails.tryAgain} />}
      {emails.isPending && !error && <ListSkeleton />}
      {!error && !emails.isPending && rows.length === 0 ? (
        <NoEmails isFiltered={text !== ''} />
      ) : (
        <VirtualList
          key={shown}
          label="Emails"
          items={rows}
          idOf={({ id }) => id}
          hrefOf={({ id }) => `/emails/${id}${query}`}
          rowHeight={ROW_HEIGHT}
          row={EmailInList}
          chosenId={chosenId}
          onClose={onClose}
          hasMore={emails.hasMore}
          onNeedMore={emails.needMore}
          onScrolled={setAway}
          onShown={emails.onShown}
        />
      )}
      {isSending && <SendTest onClose={() => setSending(false)} />}
    </>
  );
}

function EmailInList({ last_event, from, to, subject, created_at, scheduled_at }: EmailRow) {
  const [first = '', ...others] = to;
  return (
    <Row
      title={<bdi>{subject.trim() || <span className="soft">(no subject)</span>}</bdi>}
      second={
        <>
          <span className="one-line email-to">
            to <bdi>{first}</bdi>
          </span>
          {others.length > 0 && <span>+{others.length}</span>}
          <span className="one-line email-from">
            from <bdi>{from}</bdi>
          </span>
        </>
      }
      time={<Time value={last_event === 'scheduled' ? scheduled_at : created_at} />}
      mark={<StateBadge state={last_event} />}
    />
  );
}

function NoEmails({ isFiltered }: { isFiltered: boolean }) {
  const { data: session } = useQuery(sessionQuery);
  if (isFiltered) return <Empty title="No matching emails">Remove a filter to see more.</Empty>;
  return (
    <Empty title="No emails yet" curl={curlOf(session?.apiUrl ?? '', 'POST', 'emails', EXAMPLE)}>
      <p>Emails sent through this API appear here automatically. Send one:</p>
    </Empty>
  );
}
