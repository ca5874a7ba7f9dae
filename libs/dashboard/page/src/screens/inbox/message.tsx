import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiProblem } from '../../api/client';
import { useUrlState } from '../../hooks/use-url-state';
import { Problem } from '../../parts/problem';
import { StrangerFrame, widthOf } from '../../parts/stranger-frame';
import { Tabs } from '../../parts/tabs';
import { Time } from '../../parts/time';
import { Attachments } from './attachments';
import { type InboxMessage, messageQuery } from './inbox-api';
import { tabOf, tabsOf } from './message-tabs';
import { Source } from './source';

interface MessageProps {
  id: string;
  onDelete: () => void;
}

/** One message: who, what, when; its html, text, headers, source and attachments. */
export function Message({ id, onDelete }: MessageProps) {
  const { data: message, error, refetch } = useQuery(messageQuery(id));
  if (error && message === undefined) {
    const isGone = error instanceof ApiProblem && error.status === 404;
    return (
      <Problem
        what="The message could not be shown"
        error={error}
        meaning={
          isGone
            ? 'It was deleted, or newer ones took its place: an inbox keeps only so many.'
            : 'It stays in the inbox.'
        }
        {...(!isGone && { onRetry: () => void refetch() })}
      />
    );
  }
  return (
    <article className="inbox-message" aria-busy={message === undefined}>
      <header>
        <div className="bar">
          <h2 className="stranger">{message ? message.subject || '(no subject)' : '\u00a0'}</h2>
          <button type="button" className="danger end" onClick={onDelete}>
            Delete
          </button>
        </div>
        <Head message={message} />
      </header>
      {message && <Body message={message} />}
    </article>
  );
}

/** Has its lines before the message is there. */
function Head({ message }: { message: InboxMessage | undefined }) {
  const hidden = message && hiddenOf(message);
  return (
    <dl className="stranger">
      <dt>From</dt>
      <dd>{message ? message.from || message.envelope.from || '(empty)' : '\u00a0'}</dd>
      <dt>To</dt>
      <dd>{message ? message.to.join(', ') || '(nobody)' : '\u00a0'}</dd>
      {message && message.cc.length > 0 && (
        <>
          <dt>Cc</dt>
          <dd>{message.cc.join(', ')}</dd>
        </>
      )}
      {hidden && hidden.length > 0 && (
        <>
          <dt>Delivered to</dt>
          <dd>{hidden.join(', ')}</dd>
        </>
      )}
      <dt>Date</dt>
      <dd>{message ? !message.date ? '(none)' : <Time value={message.date} /> : '\u00a0'}</dd>
      <dt>Email</dt>
      <dd>
        {message?.email_id == null ? (
          <span className="soft">{message ? 'not one of this account' : '\u00a0'}</span>
        ) : (
          <Link href={`/emails/${message.email_id}`}>What became of it</Link>
        )}
      </dd>
    </dl>
  );
}

function Body({ message }: { message: InboxMessage }) {
  const [state, setState] = useUrlState();
  const tabs = tabsOf(message);
  const tab = tabOf(message, state.get('tab'));
  return (
    <Tabs label="Parts of the message" tabs={tabs} chosen={tab} onChoose={(name) => setState({ tab: name })}>
      {tab === 'html' && (
        <StrangerFrame
          path={`frames/inbox/${encodeURIComponent(message.id)}`}
          title={`The message ${message.subject}`}
          remoteImages={message.remote_images}
          width={widthOf(state.get('width'))}
          onWidth={(width) => setState({ width: width === 'full' ? null : width })}
        />
      )}
      {tab === 'text' && (message.text ? <pre className="stranger">{message.text}</pre> : <p>It has no text.</p>)}
      {tab === 'headers' && <Headers headers={message.headers} />}
      {tab === 'source' && <Source id={message.id} size={message.size} />}
      {tab === 'attachments' && <Attachments message={message} />}
    </Tabs>
  );
}

function Headers({ headers }: Pick<InboxMessage, 'headers'>) {
  return (
    <table className="inbox-headers">
      <caption className="only-read">Headers in their order</caption>
      <thead className="only-read">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names come several times, and the list never changes
          <tr key={index}>
            <th scope="row" className="stranger">
              {name}
            </th>
            <td className="mono stranger">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Recipients of the envelope that the message does not name: blind copies. */
function hiddenOf({ envelope, to, cc }: InboxMessage): string[] {
  const named = [...to, ...cc].join(' ').toLowerCase();
  return envelope.to.filter((address) => !named.includes(address.toLowerCase()));
}
