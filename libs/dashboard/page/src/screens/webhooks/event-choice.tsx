import { EVENT_GROUPS, type EventGroup, toggleGroup, toggleType } from './event-groups';
import { TEXTS } from './texts';

const texts = TEXTS.form;

interface EventChoiceProps {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** All event types in their groups. The group of emails is expanded, the others if one of their types is selected. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  return (
    <fieldset className="event-choice">
      <legend>{texts.types}</legend>
      {EVENT_GROUPS.map((group, at) => (
        <Group key={group.title} group={group} isOpen={at === 0} chosen={chosen} onChange={onChange} />
      ))}
    </fieldset>
  );
}

function Group({ group, isOpen, chosen, onChange }: EventChoiceProps & { group: EventGroup; isOpen: boolean }) {
  const { title, types } = group;
  const count = types.filter((type) => chosen.has(type)).length;
  return (
    <details open={isOpen || count > 0}>
      <summary>
        {title} <span className="soft">{count > 0 && texts.chosenOf(count, types.length)}</span>
      </summary>
      <label className="whole">
        <input
          type="checkbox"
          checked={count === types.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < types.length;
          }}
          onChange={() => onChange(toggleGroup(chosen, group))}
        />
        {texts.all(title.toLowerCase())}
      </label>
      <div className="types">
        {types.map((type) => (
          <label key={type}>
            <input type="checkbox" checked={chosen.has(type)} onChange={() => onChange(toggleType(chosen, type))} />
            <span className="mono">{type}</span>
          </label>
        ))}
      </div>
    </details>
  );
}
