import type { NextHopReport } from '../../../../src/operations/dashboard-operations';
import { Card } from '../../parts/card';
import { countOf } from '../../parts/numbers';
import { Time } from '../../parts/time';
import { Pair } from './part';
import { TEXTS } from './texts';

const texts = TEXTS.hop;

/** The server that gets the mail: whether it answers, since when not, and its own words. */
export function NextHopCard({ hop }: { hop: NextHopReport }) {
  return (
    <Card title={texts.title}>
      <dl>
        <Pair name={texts.address}>
          <span className="mono">{hop.name}</span>
        </Pair>
        <Pair name={texts.state}>
          <span className={{ up: 'good', down: 'bad', unknown: 'soft' }[hop.state]}>{texts.states[hop.state]}</span>
        </Pair>
        {hop.since !== null && (
          <Pair name={texts.since}>
            <Time value={hop.since} />
          </Pair>
        )}
        <Pair name={texts.lastSuccess}>
          {hop.last_success === null ? texts.never : <Time value={hop.last_success} />}
        </Pair>
        {hop.accepted_per_minute !== null && (
          <Pair name={texts.rate}>{texts.perMinute(Math.round(hop.accepted_per_minute))}</Pair>
        )}
        {hop.error !== null && (
          <Pair name={texts.lastError}>
            <bdi className="mono">{hop.error}</bdi>
          </Pair>
        )}
      </dl>
    </Card>
  );
}

/** Recipients of the busiest destinations. */
export function Destinations({ destinations }: { destinations: NonNullable<NextHopReport['destinations']> }) {
  const { title, domain, accepted, others, none } = TEXTS.destinations;
  return (
    <Card title={title}>
      {destinations.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{domain}</th>
              <th scope="col">{accepted}</th>
              <th scope="col">{others}</th>
            </tr>
          </thead>
          <tbody>
            {destinations.map((row) => (
              <tr key={row.domain}>
                <th scope="row">
                  <bdi>{row.domain}</bdi>
                </th>
                <td>{countOf(row.accepted)}</td>
                <td>{countOf(row.others)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
