import type { OperationsReport } from '../../../../src/operations/dashboard-operations';
import { plainName } from '../../parts/plain-name';
import { Time } from '../../parts/time';
import { Unknown } from './part';
import { TEXTS } from './texts';

const texts = TEXTS.held;

/** Accounts whose emails wait, since when and why. */
export function Held({ held }: Pick<OperationsReport, 'held'>) {
  if (held === null) return <Unknown />;
  const { count, longest } = held;
  if (count === 0) return <p className="soft">{texts.none}</p>;
  return (
    <>
      <p className="soft">{texts.meaning}</p>
      <table className="health-held">
        <thead>
          <tr>
            <th scope="col">{texts.account}</th>
            <th scope="col">{texts.since}</th>
            <th scope="col">{texts.reason}</th>
          </tr>
        </thead>
        <tbody>
          {longest.map(({ account, since, reason }) => (
            <tr key={account}>
              <th scope="row">
                <bdi>{plainName(account)}</bdi>
              </th>
              <td>
                <Time value={since} />
              </td>
              <td>
                <bdi>{plainName(reason)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > longest.length && <p className="soft">{texts.more(count - longest.length)}</p>}
    </>
  );
}
