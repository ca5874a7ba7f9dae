import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useUrlState } from '../../hooks/use-url-state';
import { DetailScreen, type Facts } from '../../parts/detail-screen';
import { HeadersTable } from '../../parts/headers-table';
import { OnlyFor } from '../../parts/only-for';
import { StrangerFrame, widthOf } from '../../parts/stranger-frame';
import { Tabs } from '../../parts/tabs';
import { Time } from '../../parts/time';
import { Attachments } from './attachments';
import { type InboxMessage, messageQuery } from './inbox-api';
import { tabOf, tabsOf } from './message-tabs';
import { signatureText, unsubscribeText } from './message-trust';
import { ReleaseDialog } from './release-dialog';
import { Source } from './source';
import { Support } from './support';
import { TEXTS } from './texts';

interface MessageProps {
  id: string;
  /** It can be sent to a real mailbox. */
  canRelease: boolean;
  onDelete: () => void;
}

const MISSING = { title: TEXTS.missingTitle, text: TEXTS.missingLead };

/** One message: its envelope, html, text, headers, source and attachments. */
export function Message({ id, canRelease, onDelete }: MessageProps) {
  const [isReleasing, setReleasing] = useState(false);
  return (
    <DetailScreen query={useQuery(messageQuery(id))} failure={TEXTS.showFailed} missing={MISSING}>
      {(message) => ({
        title: <Stranger>{message.subject || TEXTS.noSubject}</Stranger>,
        aside: (
          <OnlyFor needs="admin">
            <span className="bar end">
              {canRelease && (
                <button type="button" onClick={() => setReleasing(true)}>
                  {TEXTS.release}
                </button>
              )}
              <button type="button" className="danger" onClick={onDelete}>
                {TEXTS.delete}
              </button>
            </span>
          </OnlyFor>
        ),
        facts: factsOf(message),
        content: (
          <>
            <Body message={message} />
            {isReleasing && <ReleaseDialog message={message} onClose={() => setReleasing(false)} />}
          </>
        ),
      })}
    </DetailScreen>
  );
}

function factsOf(message: InboxMessage): Facts {
  const { from, to, cc, envelope, date, email_id: emailId } = message;
  const hidden = hiddenOf(message);
  return {
    [TEXTS.facts.from]: <Stranger>{from || envelope.from || TEXTS.empty}</Stranger>,
    [TEXTS.facts.to]: <Stranger>{to.join(', ') || TEXTS.nobody}</Stranger>,
    [TEXTS.facts.cc]: cc.length > 0 && <Stranger>{cc.join(', ')}</Stranger>,
    [TEXTS.facts.hidden]: hidden.length > 0 && <Stranger>{hidden.join(', ')}</Stranger>,
    [TEXTS.facts.date]: date ? <Time value={date} /> : TEXTS.noDate,
    [TEXTS.facts.signature]: message.dkim && <Stranger>{signatureText(message.dkim)}</Stranger>,
    [TEXTS.facts.unsubscribe]: unsubscribeText(message.headers),
    [TEXTS.facts.email]:
      emailId === null ? (
        <span className="soft">{TEXTS.foreignEmail}</span>
      ) : (
        <Link href={`/emails/${emailId}`}>{TEXTS.viewEmail}</Link>
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
    <Tabs label={TEXTS.parts} tabs={tabs} chosen={tab} onChoose={(name) => setState({ tab: name })}>
      {tab === 'html' && (
        <StrangerFrame
          path={`frames/inbox/${encodeURIComponent(message.id)}`}
          title={TEXTS.frame(message.subject)}
          remoteImages={message.remote_images}
          width={widthOf(state.get('width'))}
          onWidth={(width) => setState({ width: width === 'full' ? null : width })}
        />
      )}
      {tab === 'text' && (message.text ? <pre className="stranger">{message.text}</pre> : <p>{TEXTS.noText}</p>)}
      {tab === 'headers' && (
        <HeadersTable
          caption={TEXTS.headers}
          columns={{ name: TEXTS.headerName, value: TEXTS.headerValue }}
          headers={message.headers}
        />
      )}
      {tab === 'source' && <Source id={message.id} size={message.size} />}
      {tab === 'support' && <Support uses={message.unsupported} />}
      {tab === 'attachments' && <Attachments message={message} />}
    </Tabs>
  );
}

/** Recipients of the envelope that the message does not name: blind copies. */
function hiddenOf({ envelope, to, cc }: InboxMessage): string[] {
  const named = [...to, ...cc].join(' ').toLowerCase();
  return envelope.to.filter((address) => !named.includes(address.toLowerCase()));
}
