import { Link } from 'wouter';
import { emailsLink } from '../../parts/emails-link';
import { countOf, percentOf } from '../../parts/numbers';
import type { DomainRow } from './series';
import { TEXTS } from './texts';

interface DomainsTableProps {
  domains: readonly DomainRow[];
  /** Start and exclusive end of the numbers. */
  bounds: { start: Date; end?: Date };
}

/** The same numbers by the domain of the sender, which leads to its emails. */
export function DomainsTable({ domains, bounds: { start, end } }: DomainsTableProps) {
  return (
    <div className="stack">
      <h2 id="metrics-domains">{TEXTS.domains.title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <section className="metrics-table" tabIndex={0} aria-labelledby="metrics-domains">
        <table>
          <thead>
            <tr>
              <th scope="col">{TEXTS.domains.domain}</th>
              {[TEXTS.counts.sent, TEXTS.counts.delivered, TEXTS.counts.bounced, TEXTS.counts.failed].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {domains.map(({ domain_name: name, ...row }) => (
              <tr key={name}>
                <th scope="row">
                  <Link href={emailsLink({ from: `@${name}`, after: start, ...(end && { before: end }) })}>
                    <bdi>{name}</bdi>
                  </Link>
                </th>
                <td className="number">{countOf(row.sent)}</td>
                <td className="number">{withRate(row.delivered, row.delivery_rate)}</td>
                <td className="number">{withRate(row.bounced, row.bounce_rate)}</td>
                <td className="number">{countOf(row.failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function withRate(count: number, rate: number) {
  if (count === 0) return countOf(0);
  return (
    <>
      {countOf(count)} <span className="soft">{percentOf(rate)}</span>
    </>
  );
}
