import { useRef } from 'react';
import { ROW_HEIGHT } from '../../../parts/row';
import { VirtualList } from '../../../parts/virtual-list';
import { isSelected, type Selection } from '../selection/selection';
import { TEXTS } from '../texts';
import { EmailInList } from './email-in-list';
import type { EmailRow } from './email-row';
import type { useEmails } from './use-emails';

interface EmailRowsProps {
  emails: ReturnType<typeof useEmails>;
  rows: readonly EmailRow[];
  selection: Selection;
  /** Missing for a visitor who cannot act. */
  onToggle?: (id: string, isRange?: boolean) => void;
  chosenId: string | undefined;
  /** The query of the address bar, with its question mark. */
  query: string;
  onScrolled: (isAway: boolean) => void;
  onClose: () => void;
}

/** The rows, and over them a button with the number of new ones that are held back. */
export function EmailRows(props: EmailRowsProps) {
  const { emails, rows, selection, onToggle, chosenId, query, onScrolled, onClose } = props;
  const frame = useRef<HTMLDivElement>(null);
  const showHeld = () => {
    emails.showHeld();
    frame.current?.querySelector('.virtual-list')?.scrollTo({ top: 0 });
  };
  return (
    <div className="email-rows" ref={frame}>
      <div role="status" className="held">
        {emails.heldCount > 0 && (
          <button type="button" onClick={showHeld}>
            {TEXTS.newEmails(emails.heldCount)}
          </button>
        )}
      </div>
      <VirtualList
        label={TEXTS.list}
        items={rows}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/emails/${id}${query}`}
        rowHeight={ROW_HEIGHT}
        isLayered
        {...(onToggle && {
          lead: (email: EmailRow) => (
            <SelectBox
              email={email}
              isSelected={isSelected(selection, email.id)}
              onToggle={(isRange) => onToggle(email.id, isRange)}
            />
          ),
          onMark: ({ id }: EmailRow) => onToggle(id),
        })}
        row={(email) => <EmailInList email={email} />}
        chosenId={chosenId}
        onClose={onClose}
        hasMore={emails.hasMore}
        onNeedMore={emails.needMore}
        onScrolled={onScrolled}
        onShown={emails.onShown}
      />
    </div>
  );
}

interface SelectBoxProps {
  email: EmailRow;
  isSelected: boolean;
  onToggle: (isRange: boolean) => void;
}

function SelectBox({ email, isSelected: isChecked, onToggle }: SelectBoxProps) {
  return (
    <label className="select-box">
      <input
        type="checkbox"
        checked={isChecked}
        tabIndex={-1}
        aria-label={TEXTS.selection.row(email.subject.trim() || TEXTS.noSubject)}
        // The click tells whether Shift is held.
        onChange={() => {}}
        onClick={({ shiftKey }) => onToggle(shiftKey)}
      />
    </label>
  );
}
