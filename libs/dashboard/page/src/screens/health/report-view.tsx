import type { ReactNode } from 'react';
import { durationOf } from '../../parts/durations';
import { sizeOf } from '../../parts/sizes';
import { MEANINGS, type Report } from './report';

const SIGNS = { ok: '✓', degraded: '◔', down: '✕' } as const;

/** The whole report for operators, on one page. */
export function ReportView({ report }: { report: Report }) {
  const { status, checks, emails, jobs, subscribers, webhooks, process, board } = report;
  return (
    <>
      <section className={`health-status ${status}`} aria-labelledby="health-status">
        <div role="status">
          <h2 id="health-status">
            <span aria-hidden="true">{SIGNS[status]}</span> {status}
          </h2>
          <p>{MEANINGS[status]}</p>
        </div>
      </section>
      <div className="health-parts">
        <Part title="Checks">
          <dl>
            {Object.entries(checks).map(([name, finding]) => (
              <Pair key={name} name={name}>
                <span className={finding === 'ok' ? 'good' : 'bad'}>
                  <span aria-hidden="true">{finding === 'ok' ? '✓' : '✕'}</span> {finding}
                </span>
              </Pair>
            ))}
          </dl>
        </Part>
        <Part title="Emails">
          {emails ? (
            <dl>
              <Pair name="Due now">{emails.due}</Pair>
              <Pair name="Oldest">{emails.due > 0 ? `due for ${durationOf(emails.oldest_due_seconds)}` : 'none'}</Pair>
            </dl>
          ) : (
            <Unknown />
          )}
        </Part>
        <Part title="Queue">
          {jobs ? (
            <dl>
              {Object.entries(jobs).map(([state, count]) => (
                <Pair key={state} name={state}>
                  {count}
                </Pair>
              ))}
            </dl>
          ) : (
            <Unknown />
          )}
          {board !== null && (
            <p>
              <a href={board} target="_blank" rel="noreferrer">
                Queue board
              </a>{' '}
              <span className="soft">(asks for the same token)</span>
            </p>
          )}
        </Part>
        <Part title="Subscribers">
          {subscribers?.length === 0 && <p className="soft">This host has no event subscriptions.</p>}
          {subscribers === null && <Unknown />}
          {subscribers !== null && subscribers.length > 0 && (
            <dl>
              {subscribers.map(({ name, waiting, oldest_seconds: oldest }) => (
                <Pair key={name} name={name}>
                  {backlogOf(waiting, oldest)}
                </Pair>
              ))}
            </dl>
          )}
        </Part>
        <Part title="Webhooks">
          {webhooks ? (
            <dl>
              <Pair name="Events">{backlogOf(webhooks.waiting, webhooks.oldest_seconds)}</Pair>
            </dl>
          ) : (
            <Unknown />
          )}
        </Part>
        <Part title="This process">
          <dl>
            <Pair name="Role">{process.role}</Pair>
            <Pair name="Runs for">{durationOf(process.uptime_seconds)}</Pair>
            <Pair name="Memory">{sizeOf(process.memory_bytes)}</Pair>
          </dl>
        </Part>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div style={{ display: 'contents' }}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Unknown() {
  return <p className="soft">Unknown at the moment.</p>;
}

function backlogOf(waiting: number, oldestSeconds: number): string {
  return waiting === 0 ? 'none waiting' : `${waiting} waiting, the oldest for ${durationOf(oldestSeconds)}`;
}
