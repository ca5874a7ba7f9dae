interface DraftBarProps {
  /** Label of the save button. */
  action: string;
  /** True while there are unsaved changes. */
  isChanged: boolean;
  isBusy: boolean;
  /** True after a save. */
  isSaved: boolean;
  onDiscard: () => void;
}

/** Footer of a form with a draft: saves or discards it, and shows its state. */
export function DraftBar({ action, isChanged, isBusy, isSaved, onDiscard }: DraftBarProps) {
  return (
    <div className="bar">
      <button type="submit" className="primary" disabled={!isChanged || isBusy}>
        {action}
      </button>
      {isChanged && (
        <button type="button" className="quiet" onClick={onDiscard}>
          Discard
        </button>
      )}
      <span className="soft" role="status">
        {statusOf(isChanged, isSaved)}
      </span>
    </div>
  );
}

function statusOf(isChanged: boolean, isSaved: boolean): string {
  if (isChanged) return 'Not saved yet. Kept in this tab until you save or discard it.';
  return isSaved ? 'Saved.' : '';
}
