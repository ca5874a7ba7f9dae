import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client';
import { awaitedFirstEmailQuery, firstEmailQuery } from '../../api/first-email';
import { sessionQuery } from '../../api/session';
import { useIdempotency } from '../../hooks/use-idempotency';
import { Card } from '../../parts/card';
import { Copyable } from '../../parts/copyable';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { Snippet } from '../../parts/snippet';
import { FIRST_EMAIL, sendSnippets } from './send-snippets';
import { TEXTS } from './texts';
import './start.css';

/** The way to the first email in development: a key by one click, snippets that work when pasted, and a test. */
export default function StartScreen() {
  const making = useMutation({
    mutationFn: () =>
      api<{ token: string }>('POST', 'api-keys', { body: { name: TEXTS.keyName, permission: 'sending_access' } }),
  });
  const token = making.data?.token;
  return (
    <>
      <ScreenHead title="Start" />
      <div className="start stack">
        <header className="stack">
          <h2>{TEXTS.title}</h2>
          <p className="soft">{TEXTS.lead}</p>
        </header>
        <Card title={TEXTS.keyTitle}>
          {token === undefined ? (
            <>
              <p className="soft">{TEXTS.keyLead}</p>
              <div className="bar">
                <button type="button" className="primary" disabled={making.isPending} onClick={() => making.mutate()}>
                  {TEXTS.createKey}
                </button>
              </div>
            </>
          ) : (
            <div role="status" className="stack">
              <p>{TEXTS.keyReady}</p>
              <Copyable value={token} what={TEXTS.key} />
            </div>
          )}
          {making.error && <Problem what={TEXTS.keyFailed} error={making.error} />}
        </Card>
        <Sending token={token} />
      </div>
    </>
  );
}

function Sending({ token }: { token: string | undefined }) {
  const { data: session } = useQuery(sessionQuery);
  const snippets = sendSnippets(session?.apiUrl ?? '', token);
  const client = useQueryClient();
  const once = useIdempotency();
  const sending = useMutation({
    mutationFn: () =>
      api<{ id: string }>('POST', 'emails', {
        body: FIRST_EMAIL,
        headers: once.headersOf(JSON.stringify(FIRST_EMAIL)),
      }),
    onSuccess: () => {
      once.done();
      return client.invalidateQueries({ queryKey: firstEmailQuery.queryKey });
    },
  });
  return (
    <Card title={TEXTS.snippetTitle}>
      {token === undefined && <p className="soft">{TEXTS.withoutKey}</p>}
      <Snippet label={TEXTS.snippets} texts={snippets} />
      <p className="soft">{TEXTS.where}</p>
      <div className="bar">
        <span className="soft">{TEXTS.or}</span>
        <button type="button" disabled={sending.isPending} onClick={() => sending.mutate()}>
          {TEXTS.sendTest}
        </button>
      </div>
      {sending.error && <Problem what={TEXTS.sendFailed} error={sending.error} />}
      <Arrived />
    </Card>
  );
}

/** Follows what the snippets send. */
function Arrived() {
  const { data: email } = useQuery(awaitedFirstEmailQuery);
  return (
    <div role="status" className={email ? 'start-arrived here' : 'start-arrived'}>
      <p>{email ? TEXTS.arrived : TEXTS.waiting}</p>
      {email && (
        <div className="bar">
          <Link className="button" href={`/emails/${email.id}`}>
            {TEXTS.viewEmail}
          </Link>
          <Link className="button" href="/inbox">
            {TEXTS.openInbox}
          </Link>
        </div>
      )}
    </div>
  );
}
