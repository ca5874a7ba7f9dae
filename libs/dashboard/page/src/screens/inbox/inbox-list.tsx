import { Paperclip } from 'lucide-react';
import { useRef, useState } from 'react';
import { ROW_HEIGHT, Row } from '../../parts/row';
import { Time } from '../../parts/time';
import { VirtualList } from '../../parts/virtual-list';
import { heldBack } from './held-back';
import type { InboxEntry, useInbox } from './inbox-api';
import { SimulatedAddresses } from './simulated-addresses';
import { TEXTS } from './texts';

interface InboxListProps {
  inbox: ReturnType<typeof useInbox>;
  /** Ids of opened messages. */
  read: readonly string[];
  chosenId: string | undefined;
  hrefOf: (entry: InboxEntry) => string;
  onClose: () => void;
}

/** New messages appear on top; for a reader further down they are held back behind a line with their number. */
export function InboxList({ inbox, read, chosenId, hrefOf, onClose }: InboxListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState<InboxEntry>();
  const { shown, count } = heldBack(inbox.entries, top);
  const showNew = () => {
    setTop(undefined);
    frame.current?.querySelector('.virtual-list')?.scrollTo({ top: 0 });
  };
  return (
    <div className="inbox-list" ref={frame}>
      <div role="status" className="inbox-new">
        {count > 0 && (
          <button type="button" onClick={showNew}>
            {TEXTS.newMessages(count)}
          </button>
        )}
      </div>
      <VirtualList
        label={TEXTS.list}
        items={shown}
        idOf={(entry) => entry.id}
        rowHeight={ROW_HEIGHT}
        row={(entry) => <EntryRow entry={entry} isRead={read.includes(entry.id)} />}
        hrefOf={hrefOf}
        chosenId={chosenId}
        onClose={onClose}
        hasMore={inbox.hasNextPage}
        onNeedMore={inbox.needMore}
        onScrolled={(isAway) => setTop((before) => (isAway ? (before ?? shown[0]) : undefined))}
      />
      <details className="inbox-hints">
        <summary>{TEXTS.simulated}</summary>
        <SimulatedAddresses hints={inbox.hints} />
      </details>
    </div>
  );
}

function EntryRow({ entry, isRead }: { entry: InboxEntry; isRead: boolean }) {
  const [first, ...others] = entry.to;
  return (
    <Row
      title={
        <span className={isRead ? 'stranger read' : 'stranger'}>
          {!isRead && <span className="only-read">{TEXTS.unread}</span>}
          {entry.subject || TEXTS.noSubject}
        </span>
      }
      second={
        <span className="one-line stranger">
          {first ?? TEXTS.nobody}
          {others.length > 0 && ` +${others.length}`}{' '}
          <span className="soft">
            {TEXTS.from} {entry.from || TEXTS.emptySender}
          </span>
        </span>
      }
      time={<Time value={entry.received_at} />}
      mark={
        entry.attachments > 0 && (
          <span title={TEXTS.attachments(entry.attachments)}>
            <Paperclip className="icon" size={14} aria-hidden="true" />
            <span className="only-read">{TEXTS.attachments(entry.attachments)}</span>
          </span>
        )
      }
    />
  );
}
