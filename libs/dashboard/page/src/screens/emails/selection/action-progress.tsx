import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'wouter';
import type { EmailAction } from '../../../api/types';
import { Problem } from '../../../parts/problem';
import { useToast } from '../../../parts/toast';
import { TEXTS } from '../texts';
import { actionQuery } from './bulk-queries';

const texts = TEXTS.progress;

interface ActionProgressProps {
  id: string;
  /** Called once when it is completed while it is shown. */
  onCompleted: () => void;
  onDismiss: () => void;
}

/** The progress of an action on many emails, then its outcome. */
export function ActionProgress({ id, onCompleted, onDismiss }: ActionProgressProps) {
  const { data, error, refetch } = useQuery(actionQuery(id));
  const toast = useToast();
  const wasRunning = useRef(false);
  const isCompleted = data?.status === 'completed';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is completed
  useEffect(() => {
    if (data?.status === 'running') wasRunning.current = true;
    if (!data || !isCompleted || !wasRunning.current) return;
    wasRunning.current = false;
    toast(TEXTS.actions[data.action].done(TEXTS.emailsOf(data.done)));
    onCompleted();
  }, [data?.status]);
  return (
    <section className="action-progress" aria-label={texts.label}>
      {error && (
        <Problem what={texts.unread} error={error} meaning={texts.unreadMeaning} onRetry={() => void refetch()} />
      )}
      {data && (isCompleted ? <Outcome action={data} /> : <Running action={data} />)}
      {(isCompleted || error) && (
        <button type="button" className="quiet" onClick={onDismiss}>
          {texts.dismiss}
        </button>
      )}
    </section>
  );
}

function Running({ action }: { action: EmailAction }) {
  const id = useId();
  const { matched, done } = action;
  return (
    <p className="running">
      <span id={id}>{TEXTS.actions[action.action].running(TEXTS.emailsOf(matched))}</span>
      <progress aria-labelledby={id} max={matched} value={done} />
      <span className="soft">{texts.counts(done, matched)}</span>
    </p>
  );
}

function Outcome({ action: { action, matched, done, refused } }: { action: EmailAction }) {
  const left = matched - done;
  return (
    <div className="outcome">
      <p>
        {TEXTS.actions[action].done(TEXTS.emailsOf(done))} {left > 0 && `${texts.refused(left)}.`}
      </p>
      {refused.length > 0 && (
        <details>
          <summary>{texts.reasons}</summary>
          {left > refused.length && <p className="soft">{texts.first(refused.length)}</p>}
          <ul>
            {groupsOf(refused).map(([message, ids]) => (
              <li key={message}>
                {message}{' '}
                <span className="ids">
                  {ids.map((email) => (
                    <Link key={email} href={`/emails/${email}`} className="mono">
                      {email.slice(0, 8)}
                    </Link>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Emails by the message of their refusal, the most frequent first. */
function groupsOf(refused: EmailAction['refused']): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { id, message } of refused) groups.set(message, [...(groups.get(message) ?? []), id]);
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}
