import { actionGroups, sentenceOf } from './actions';
import { TEXTS } from './texts';

interface ActionFilterProps {
  /** Empty: all. */
  action: string;
  onChoose: (action: string) => void;
}

const GROUPS = actionGroups();

/** Shows one kind of changes alone. */
export function ActionFilter({ action, onChoose }: ActionFilterProps) {
  const isListed = action === '' || GROUPS.some(({ actions }) => actions.some((name) => name === action));
  return (
    <select
      className="end action-filter"
      aria-label={TEXTS.filter}
      value={action}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">{TEXTS.all}</option>
      {GROUPS.map(({ group, actions }) => (
        <optgroup key={group} label={group}>
          {actions.map((name) => (
            <option key={name} value={name}>
              {sentenceOf({ action: name, count: 1 })}
            </option>
          ))}
        </optgroup>
      ))}
      {/* Named by the address, such as an action of a host's own feature. */}
      {!isListed && <option value={action}>{action}</option>}
    </select>
  );
}
