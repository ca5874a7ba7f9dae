import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useShortcuts } from '../../../hooks/use-shortcuts';
import { useUrlState } from '../../../hooks/use-url-state';
import { OnlyFor } from '../../../parts/only-for';
import { Problem } from '../../../parts/problem';
import { ScreenHead } from '../../../parts/screen-head';
import { ListSkeleton } from '../../../parts/skeleton';
import { useMay } from '../../../parts/use-may';
import { FilterSelects } from '../search/filter-selects';
import { SearchBox } from '../search/search-box';
import { SearchProblem } from '../search/search-problem';
import { readSearch } from '../search/search-text';
import { ActionProgress } from '../selection/action-progress';
import { countQuery, saveMatching, saveRows } from '../selection/bulk-queries';
import { ConfirmAction } from '../selection/confirm-action';
import { isEmpty } from '../selection/selection';
import { SelectionBar } from '../selection/selection-bar';
import { useSelection } from '../selection/use-selection';
import { SendTest } from '../send-test';
import { type BulkAction, TEXTS } from '../texts';
import { EmailRows } from './email-rows';
import { NoEmails } from './no-emails';
import { isRefusal, useEmails } from './use-emails';

interface EmailListProps {
  chosenId: string | undefined;
  /** The query of the address bar, with its question mark. */
  query: string;
  onClose: () => void;
}

/** Search, filters and actions over the rows. */
export function EmailList({ chosenId, query, onClose }: EmailListProps) {
  const problemId = useId();
  const [, navigate] = useLocation();
  const [state, change] = useUrlState();
  const text = state.get('q') ?? '';
  const actionId = state.get('action');
  const search = useMemo(() => readSearch(text, Date.now()), [text]);
  /** The search in whose rows the reader is further down. */
  const [textOfAway, setTextOfAway] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [acting, setActing] = useState<BulkAction>();
  const canAct = useMay()('support');
  const isUnderstood = search.problem === undefined && search.emailId === undefined;
  const { selection, toggle, selectAll, clear } = useSelection(search.query);
  const hasSelected = !isEmpty(selection);
  const isAway = textOfAway === text;
  const emails = useEmails({ query: search.query, isEnabled: isUnderstood, isHeld: isAway || hasSelected });
  const rows = isUnderstood ? emails.rows : [];
  const counted = useQuery({ ...countQuery(search.query), enabled: selection.kind === 'all' });
  const exporting = useMutation({
    mutationFn: async () => {
      if (selection.kind === 'all' || !hasSelected) return saveMatching(search.query);
      saveRows(rows.filter(({ id }) => selection.ids.has(id)));
    },
  });
  useShortcuts(hasSelected && chosenId === undefined ? { Escape: clear } : {});

  const onSearch = (typed: string) => {
    const { emailId } = readSearch(typed, Date.now());
    if (emailId === undefined) change({ q: typed });
    else navigate(`/emails/${emailId}${query}`);
  };
  const refusal = isRefusal(emails.error) ? emails.error?.message : undefined;
  const problem = search.problem ?? refusal;
  if (search.emailId !== undefined) return <Redirect to={`/emails/${search.emailId}`} replace />;
  return (
    <>
      <ScreenHead title={TEXTS.title}>
        <OnlyFor needs="admin">
          <button type="button" className="end" onClick={() => setSending(true)}>
            {TEXTS.test.open}
          </button>
        </OnlyFor>
        <div className="email-filters">
          <SearchBox value={text} onSearch={onSearch} describedBy={problem === undefined ? undefined : problemId} />
          <FilterSelects text={text} rows={rows} onChange={(q) => change({ q })} />
        </div>
      </ScreenHead>
      {canAct && rows.length > 0 && (
        <SelectionBar
          selection={selection}
          count={emails.hasMore ? counted.data : rows.length}
          isExporting={exporting.isPending}
          onSelectAll={selectAll}
          onClear={clear}
          onAct={setActing}
          onExport={() => exporting.mutate()}
        />
      )}
      {exporting.error && <Problem what={TEXTS.selection.exportFailed} error={exporting.error} />}
      {canAct && actionId !== null && (
        <ActionProgress
          key={actionId}
          id={actionId}
          onCompleted={emails.refresh}
          onDismiss={() => change({ action: null })}
        />
      )}
      {emails.error && problem === undefined && (
        <Problem what={TEXTS.notListed} error={emails.error} onRetry={emails.tryAgain} />
      )}
      {problem !== undefined && (
        <SearchProblem
          id={problemId}
          title={search.problem === undefined ? TEXTS.search.refused : TEXTS.search.notUnderstood}
        >
          {problem}
        </SearchProblem>
      )}
      {isUnderstood && emails.isPending && !emails.error && <ListSkeleton />}
      {isUnderstood && !emails.error && !emails.isPending && rows.length === 0 && (
        <NoEmails isFiltered={text !== ''} onClear={() => change({ q: null })} />
      )}
      {rows.length > 0 && refusal === undefined && (
        <EmailRows
          key={text}
          emails={emails}
          rows={rows}
          selection={selection}
          {...(canAct && { onToggle: (id: string, isRange?: boolean) => toggle(id, rows, isRange) })}
          chosenId={chosenId}
          query={query}
          onScrolled={(isAwayNow) => setTextOfAway(isAwayNow ? text : undefined)}
          onClose={onClose}
        />
      )}
      {isSending && <SendTest onClose={() => setSending(false)} />}
      {canAct && acting && (
        <ConfirmAction
          action={acting}
          selection={selection}
          query={search.query}
          newestId={rows[0]?.id}
          onStarted={(id) => {
            setActing(undefined);
            clear();
            change({ action: id });
          }}
          onClose={() => setActing(undefined)}
        />
      )}
    </>
  );
}
