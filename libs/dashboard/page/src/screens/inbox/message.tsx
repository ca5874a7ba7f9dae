import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useUrlState } from '../../hooks/use-url-state';
import { DetailScreen, type Facts } from '../../parts/detail-screen';
import { OnlyFor } from '../../parts/only-for';
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

const MISSING = {
  title: 'The message does not exist',
  text: 'It was deleted, or replaced by newer ones: an inbox has a limit.',
};

/** One message: its envelope, html, text, headers, source and attachments. */
export function Message({ id, onDelete }: MessageProps) {
  return (
    <DetailScreen query={useQuery(messageQuery(id))} failure="The message could not be shown" missing={MISSING}>
      {(message) => ({
        title: <Stranger>{message.subject || '(no subject)'}</Stranger>,
        aside: (
          <OnlyFor needs="admin">
            <button type="button" className="danger end" onClick={onDelete}>
              Delete
            </button>
          </OnlyFor>
        ),
        facts: factsOf(message),
        content: <Body message={message} />,
      })}
    </DetailScreen>
  );
}

function factsOf(message: InboxMessage): Facts {
  const { from, to, cc, envelope, date, email_id: emailId } = message;
  const hidden = hiddenOf(message);
  return {
    From: <Stranger>{from || envelope.from || '(empty)'}</Stranger>,
    To: <Stranger>{to.join(', ') || '(nobody)'}</Stranger>,
    Cc: cc.length > 0 && <Stranger>{cc.join(', ')}</Stranger>,
    'Delivered to': hidden.length > 0 && <Stranger>{hidden.join(', ')}</Stranger>,
    Date: date ? <Time value={date} /> : '(none)',
    Email:
      emailId === null ? (
        <span className="soft">not one of this account</span>
      ) : (
        <Link href={`/emails/${emailId}`}>Its events</Link>
      ),
  };
}

function Stranger({ children }: { children: string }) {
  return <span className="stranger">{children}</span>;
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
      <caption className="only-read">Headers in order</caption>
      <thead className="only-read">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
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
