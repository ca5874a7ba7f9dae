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
      <div className="domain-keys">
        <table>
          <caption className="only-read">{TEXTS.keyTable}</caption>
          <thead>
            <tr>
              {Object.values(names).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map(
              ({ name, key }) =>
                key && (
                  <tr key={name}>
                    <th scope="row" className="mono">
                      {name.replace(/\._domainkey$/, '')}
                    </th>
                    <td>{KEY_STATES[keyState(key)]}</td>
                    <td>
                      <Time value={key.created_at} />
                    </td>
                    <td>{key.verified_at === null ? TEXTS.noTime : <Time value={key.verified_at} />}</td>
                    <td>{key.retired_at === null ? TEXTS.noTime : <Time value={key.retired_at} />}</td>
                  </tr>
                ),
            )}
          </tbody>
        </table>
      </div>
      {records.some(({ key }) => key != null && key.retired_at !== null) && <p className="soft">{TEXTS.keysLead}</p>}
    </Card>
  );
}
