interface DraftBarProps {
  /** The word on the button that saves. */
  action: string;
  /** True while there is something that is not saved. */
  isChanged: boolean;
  isBusy: boolean;
  /** True once it was saved. */
  isSaved: boolean;
  onThrowAway: () => void;
}

/** The end of a form whose draft is kept: saves it, or throws it away, and says how it stands. */
export function DraftBar({ action, isChanged, isBusy, isSaved, onThrowAway }: DraftBarProps) {
  return (
    <div className="bar">
      <button type="submit" className="primary" disabled={!isChanged || isBusy}>
        {action}
      </button>
      {isChanged && (
        <button type="button" className="quiet" onClick={onThrowAway}>
          Throw away
        </button>
      )}
      <span className="soft" role="status">
        {statusOf(isChanged, isSaved)}
      </span>
    </div>
  );
}

function statusOf(isChanged: boolean, isSaved: boolean): string {
  if (isChanged) return 'Not saved yet. Kept in this tab until it is.';
  return isSaved ? 'Saved.' : '';
}
