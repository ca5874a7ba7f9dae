import type { DomainRecord } from '../../api/domains';
import { Card } from '../../parts/card';
import { Time } from '../../parts/time';
import { keyState } from './standing';
import { KEY_STATES, TEXTS } from './texts';

const names = TEXTS.keyNames;

/** The keys of a domain, old and new, with their dates. */
export function SigningKeys({ records }: { records: readonly DomainRecord[] }) {
  return (
    <Card title={TEXTS.keys}>
      <ul className="domain-keys">
        {records.map(
          ({ name, key }) =>
            key && (
              <li key={name}>
                <div className="bar">
                  <span className="mono">{name.replace(/\._domainkey$/, '')}</span>
                  <span>{KEY_STATES[keyState(key)]}</span>
                </div>
                <div className="bar soft">
                  <Moment name={names.made} time={key.created_at} />
                  <Moment name={names.found} time={key.verified_at} />
                  <Moment name={names.replaced} time={key.retired_at} />
                </div>
              </li>
            ),
        )}
      </ul>
      {records.some(({ key }) => key != null && key.retired_at !== null) && <p className="soft">{TEXTS.keysLead}</p>}
    </Card>
  );
}

function Moment({ name, time }: { name: string; time: string | null }) {
  if (time === null) return null;
  return (
    <span>
      {name}: <Time value={time} />
    </span>
  );
}
