import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useShortcuts } from '../../../hooks/use-shortcuts';
import { useUrlState } from '../../../hooks/use-url-state';
import { OnlyFor } from '../../../parts/only-for';
import { Problem } from '../../../parts/problem';
import { ROW_HEIGHT } from '../../../parts/row';
import { ScreenHead } from '../../../parts/screen-head';
import { ListSkeleton } from '../../../parts/skeleton';
import { useMay } from '../../../parts/use-may';
import { VirtualList } from '../../../parts/virtual-list';
import { FilterSelects } from '../search/filter-selects';
import { SearchBox } from '../search/search-box';
import { SearchProblem } from '../search/search-problem';
import { readSearch } from '../search/search-text';
import { ActionProgress } from '../selection/action-progress';
import { countQuery, saveMatching, saveRows } from '../selection/bulk-queries';
import { ConfirmAction } from '../selection/confirm-action';
import { isEmpty, isSelected } from '../selection/selection';
import { SelectionBar } from '../selection/selection-bar';
import { useSelection } from '../selection/use-selection';
import { SendTest } from '../send-test';
import { type BulkAction, TEXTS } from '../texts';
import { EmailInList } from './email-in-list';
import type { EmailRow } from './email-row';
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
  const [isAway, setAway] = useState(false);
  const [isSending, setSending] = useState(false);
  const [acting, setActing] = useState<BulkAction>();
  const frame = useRef<HTMLDivElement>(null);
  const canAct = useMay()('support');
  const isUnderstood = search.problem === undefined && search.emailId === undefined;

  const [hasSelected, setHasSelected] = useState(false);
  const emails = useEmails({ query: search.query, isEnabled: isUnderstood, isHeld: isAway || hasSelected });
  const rows = isUnderstood ? emails.rows : [];
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { selection, toggle, selectAll, clear } = useSelection(search.query, ids);
  if (hasSelected === isEmpty(selection)) setHasSelected(!hasSelected);
  const counted = useQuery({ ...countQuery(search.query), enabled: selection.kind === 'all' });
  const exporting = useMutation({
    mutationFn: async () => {
      if (selection.kind === 'all' || isEmpty(selection)) return saveMatching(search.query);
      saveRows(rows.filter(({ id }) => selection.ids.has(id)));
    },
  });
  useShortcuts(hasSelected && chosenId === undefined ? { Escape: clear } : {});

  const onSearch = (typed: string) => {
    const { emailId } = readSearch(typed, Date.now());
    if (emailId === undefined) change({ q: typed });
    else navigate(`/emails/${emailId}${query}`);
  };
  const showHeld = () => {
    emails.showHeld();
    frame.current?.querySelector('.virtual-list')?.scrollTo({ top: 0 });
  };
  const refusal = isRefusal(emails.error) ? emails.error?.message : undefined;
  const problem = search.problem ?? refusal;
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
        <div className="email-rows" ref={frame}>
          <div role="status" className="held">
            {emails.heldCount > 0 && (
              <button type="button" onClick={showHeld}>
                {TEXTS.newEmails(emails.heldCount)}
              </button>
            )}
          </div>
          <VirtualList
            key={text}
            label={TEXTS.list}
            items={rows}
            idOf={({ id }) => id}
            hrefOf={({ id }) => `/emails/${id}${query}`}
            rowHeight={ROW_HEIGHT}
            isLayered
            {...(canAct && {
              lead: (email: EmailRow) => (
                <SelectBox
                  email={email}
                  isSelected={isSelected(selection, email.id)}
                  onToggle={(isRange) => toggle(email.id, isRange)}
                />
              ),
              onMark: ({ id }: EmailRow) => toggle(id),
            })}
            row={(email) => <EmailInList email={email} />}
            chosenId={chosenId}
            onClose={onClose}
            hasMore={emails.hasMore}
            onNeedMore={emails.needMore}
            onScrolled={setAway}
            onShown={emails.onShown}
          />
        </div>
      )}
      {isSending && <SendTest onClose={() => setSending(false)} />}
      {acting && (
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

interface SelectBoxProps {
  email: EmailRow;
  isSelected: boolean;
  onToggle: (isRange: boolean) => void;
}

function SelectBox({ email, isSelected, onToggle }: SelectBoxProps) {
  return (
    <label className="select-box">
      <input
        type="checkbox"
        checked={isSelected}
        tabIndex={-1}
        aria-label={TEXTS.selection.row(email.subject.trim() || TEXTS.noSubject)}
        onChange={() => {}}
        onClick={({ shiftKey }) => onToggle(shiftKey)}
      />
    </label>
  );
}
