import { Check, X } from 'lucide-react';
import type { WebhookAttempt, WebhookEvent } from '../../api/types';
import { Badge } from '../../parts/badge';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { failureOf } from './failures';
import { TEXTS } from './texts';

const texts = TEXTS.answers;

interface AttemptsProps {
  attempts: readonly WebhookAttempt[] | undefined;
  error: unknown;
  status: WebhookEvent['status'];
}

/** Answers of the endpoint, newest first. */
export function Attempts({ attempts, error, status }: AttemptsProps) {
  return (
    <section className="stack webhook-attempts">
      <h2>{texts.title}</h2>
      {error !== null && error !== undefined && <Problem what={texts.failed} error={error} />}
      {attempts?.length === 0 && <p className="soft">{status === 'pending' ? texts.none : texts.gone}</p>}
      <ol>
        {attempts?.map(({ id, http_status_code: code, response, sent_at: sentAt }) => (
          <li key={id}>
            <div className="bar">
              <Code code={code} />
              <span className="soft end">
                <Time value={sentAt} />
              </span>
            </div>
            {code === 0 ? <p>{failureOf(response)}</p> : response !== '' && <pre>{response}</pre>}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** 0 means no answer; only 2xx counts as success. */
function Code({ code }: { code: number }) {
  const isGood = code >= 200 && code < 300;
  return (
    <Badge
      icon={isGood ? Check : X}
      word={code === 0 ? texts.noAnswer : texts.answered(code)}
      tone={isGood ? 'success' : 'danger'}
    />
  );
}
