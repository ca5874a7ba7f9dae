import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OperationsReport } from '../../../../src/operations/dashboard-operations';
import { useNow } from '../../hooks/use-now';
import { Card } from '../../parts/card';
import { durationOf } from '../../parts/durations';
import { countOf } from '../../parts/numbers';
import { outageSentence } from '../../parts/outages';
import { sizeOf } from '../../parts/sizes';
import { Destinations, NextHopCard } from './next-hop-card';
import { Pair, Unknown } from './part';
import { PausedCard } from './paused-card';
import { TEXTS } from './texts';
import { areShown, Transports } from './transports';

const SIGNS = { ok: CircleCheck, degraded: TriangleAlert, down: CircleX } as const;

/** The whole report for operators: one sentence, then every figure. */
export function ReportView({ report }: { report: OperationsReport }) {
  const { checks, emails, next_hop: hop, jobs, subscribers, webhooks, paused, process, board } = report;
  return (
    <>
      <Summary report={report} />
      <div className="health-parts">
        <Card title={TEXTS.waiting.title}>
          {emails ? (
            <>
              <p className="health-figure">{countOf(emails.due)}</p>
              <p className="soft">
                {emails.due > 0 ? TEXTS.waiting.oldest(durationOf(emails.oldest_due_seconds)) : TEXTS.waiting.none}
              </p>
              {hop && hop.waiting > 0 && <p className="soft">{TEXTS.waiting.forHop(hop.waiting)}</p>}
            </>
          ) : (
            <Unknown />
          )}
        </Card>
        {hop && <NextHopCard hop={hop} />}
        {areShown(hop?.transports) && <Transports transports={hop.transports} />}
        {hop?.destinations && <Destinations destinations={hop.destinations} />}
        <Card title={TEXTS.checks.title}>
          <dl>
            {servicesOf(checks, hop).map(([name, finding]) => (
              <Pair key={name} name={name}>
                <Finding isGood={finding === 'ok'}>{finding === 'ok' ? TEXTS.checks.ok : finding}</Finding>
              </Pair>
            ))}
          </dl>
        </Card>
        <Card title={TEXTS.queue.title}>
          {jobs ? (
            <dl>
              {Object.entries(jobs).map(([state, count]) => (
                <Pair key={state} name={state}>
                  {countOf(count)}
                </Pair>
              ))}
            </dl>
          ) : (
            <Unknown />
          )}
          {board !== null && (
            <p>
              <a href={board} target="_blank" rel="noreferrer">
                {TEXTS.queue.board}
              </a>{' '}
              <span className="soft">{TEXTS.queue.sameToken}</span>
            </p>
          )}
        </Card>
        <Card title={TEXTS.subscribers.title}>{subscribersOf(subscribers)}</Card>
        <Card title={TEXTS.webhooks.title}>
          {webhooks ? (
            <dl>
              <Pair name={TEXTS.webhooks.events}>{backlogOf(webhooks.waiting, webhooks.oldest_seconds)}</Pair>
            </dl>
          ) : (
            <Unknown />
          )}
        </Card>
        <PausedCard paused={paused} />
        <Card title={TEXTS.process.title}>
          <dl>
            <Pair name={TEXTS.process.role}>{process.role}</Pair>
            <Pair name={TEXTS.process.uptime}>{durationOf(process.uptime_seconds)}</Pair>
            <Pair name={TEXTS.process.memory}>{sizeOf(process.memory_bytes)}</Pair>
          </dl>
        </Card>
      </div>
    </>
  );
}

/** The card of the next hop says more about the transport than its check, which may be older. */
function servicesOf(checks: OperationsReport['checks'], hop: OperationsReport['next_hop']): [string, string][] {
  const hasCard = hop !== null && hop.state !== 'unknown';
  return Object.entries(checks).filter(([name]) => !hasCard || name !== 'transport');
}

/** One sentence: fine, or what is wrong since when. */
function Summary({ report: { status, next_hop: hop } }: { report: OperationsReport }) {
  const now = useNow();
  const isDown = hop?.state === 'down' && hop.since !== null;
  const shown = isDown && status === 'ok' ? 'degraded' : status;
  const Sign = SIGNS[shown];
  return (
    <section className={`health-status ${shown}`} aria-labelledby="health-status">
      <div role="status">
        <h2 id="health-status">
          <Sign className="icon" size={20} aria-hidden="true" /> {TEXTS.status[shown]}
        </h2>
        <p>
          {isDown && hop.since !== null
            ? outageSentence(
                { since: hop.since, what: 'next_hop', hop: hop.name, waiting: hop.waiting },
                hop.error,
                now,
              )
            : TEXTS.meaning[shown]}
        </p>
      </div>
    </section>
  );
}

function subscribersOf(subscribers: OperationsReport['subscribers']): ReactNode {
  if (subscribers === null) return <Unknown />;
  if (subscribers.length === 0) return <p className="soft">{TEXTS.subscribers.none}</p>;
  return (
    <dl>
      {subscribers.map(({ name, waiting, oldest_seconds: oldest }) => (
        <Pair key={name} name={name}>
          {backlogOf(waiting, oldest)}
        </Pair>
      ))}
    </dl>
  );
}

function Finding({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const Sign = isGood ? CircleCheck : CircleX;
  return (
    <span className={isGood ? 'good' : 'bad'}>
      <Sign className="icon" size={14} aria-hidden="true" /> {children}
    </span>
  );
}

function backlogOf(waiting: number, oldestSeconds: number): string {
  return TEXTS.backlog(waiting, durationOf(oldestSeconds));
}
