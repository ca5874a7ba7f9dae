import { Link } from 'wouter';
import type { TransportReport } from '../../../../src/operations/dashboard-operations';
import { Card } from '../../parts/card';
import { emailsLink } from '../../parts/emails-link';
import { countOf } from '../../parts/numbers';
import { Time } from '../../parts/time';
import { TEXTS } from './texts';

const texts = TEXTS.transports;

/** Each of several transports, or one with limits: whether it answers, and how much of its limits is used. */
export function Transports({ transports }: { transports: readonly TransportReport[] }) {
  return (
    <Card title={texts.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.state}</th>
            <th scope="col">{texts.rate}</th>
            <th scope="col">{texts.limits}</th>
          </tr>
        </thead>
        <tbody>
          {transports.map((transport) => (
            <tr key={transport.name}>
              <th scope="row">
                <NameOf transport={transport} isOnly={transports.length === 1} />
              </th>
              <td>
                <State transport={transport} />
              </td>
              <td>
                {transport.accepted_per_minute === null
                  ? texts.unknown
                  : texts.perMinute(Math.round(transport.accepted_per_minute))}
              </td>
              <td>{limitsOf(transport)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** True if the card of the next hop does not say everything. */
export function areShown(transports: readonly TransportReport[] | undefined): transports is readonly TransportReport[] {
  if (transports === undefined) return false;
  return transports.length > 1 || transports.some((one) => one.per_second !== null || one.per_day !== null);
}

/** Emails are found by their transport where there are several. */
function NameOf({ transport: { name }, isOnly }: { transport: TransportReport; isOnly: boolean }) {
  const shown = <bdi className="mono">{name}</bdi>;
  return isOnly ? shown : <Link href={emailsLink({ transport: name })}>{shown}</Link>;
}

function State({ transport: { state, since } }: { transport: TransportReport }) {
  return (
    <span className={{ up: 'good', down: 'bad', unknown: 'soft' }[state]}>
      {texts.states[state]}
      {since !== null && (
        <>
          {' '}
          <Time value={since} />
        </>
      )}
    </span>
  );
}

function limitsOf({ per_second: perSecond, per_day: perDay, used_today: used }: TransportReport): string {
  const ofDay = perDay === null ? [] : [texts.ofDay(countOf(used ?? 0), countOf(perDay))];
  const ofSecond = perSecond === null ? [] : [texts.perSecond(countOf(perSecond))];
  return [...ofDay, ...ofSecond].join(', ') || texts.none;
}
