import { Ban, Download, RotateCw, Send, X } from 'lucide-react';
import { EMAIL_LIMITS } from 'nestjs-emails/facts';
import { type BulkAction, TEXTS } from '../texts';
import { isEmpty, type Selection } from './selection';

const texts = TEXTS.selection;
const MAX = EMAIL_LIMITS.actionIds.max;

const ACTIONS = [
  ['resend', Send],
  ['retry', RotateCw],
  ['cancel', Ban],
] as const;

interface SelectionBarProps {
  selection: Selection;
  /** Number of emails that match; undefined while it is not known. */
  count: number | undefined;
  isExporting: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  onAct: (action: BulkAction) => void;
  onExport: () => void;
}

/** Selects all that match, and acts on what is selected. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, count, isExporting, onSelectAll, onClear, onAct, onExport } = props;
  const isAll = selection.kind === 'all';
  const isNone = isEmpty(selection);
  const isTooMany = selection.kind === 'some' && selection.ids.size > MAX;
  return (
    <div className="selection-bar">
      <label>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = !isAll && !isNone;
          }}
          onChange={isAll ? onClear : onSelectAll}
        />
        <span className={isAll ? 'only-read' : ''}>{count === undefined ? texts.all : texts.allOf(count)}</span>
      </label>
      <strong role="status">{!isNone && selectedOf(selection, count)}</strong>
      <div className="bar end">
        {!isNone &&
          ACTIONS.map(([action, Icon]) => (
            <button key={action} type="button" disabled={isTooMany} onClick={() => onAct(action)}>
              <Icon className="icon" size={14} aria-hidden="true" /> {TEXTS.actions[action].button}
            </button>
          ))}
        <button type="button" className={isNone ? 'quiet' : ''} disabled={isExporting} onClick={onExport}>
          <Download className="icon" size={14} aria-hidden="true" /> {texts.export}
        </button>
        {!isNone && (
          <button type="button" className="quiet" onClick={onClear}>
            <X className="icon" size={14} aria-hidden="true" /> {texts.clear}
          </button>
        )}
      </div>
      {isTooMany && <p className="selection-limit">{texts.tooMany(MAX)}</p>}
    </div>
  );
}

function selectedOf(selection: Selection, count: number | undefined): string {
  if (selection.kind === 'some') return texts.some(selection.ids.size);
  return count === undefined ? texts.everyUncounted : texts.every(count);
}
