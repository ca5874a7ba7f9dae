import { useState } from 'react';
import { Link } from 'wouter';
import type { Email } from '../../../api/types';
import { addressOf } from '../../../parts/address-of';
import { Copyable, shortId } from '../../../parts/copyable';
import type { Facts } from '../../../parts/detail-screen';
import { emailsLink } from '../../../parts/emails-link';
import { personLink } from '../../../parts/person-link';
import { plainName } from '../../../parts/plain-name';
import { ExactTime } from '../../../parts/time';
import { TEXTS } from './texts';

/** Number of addresses that are always shown. */
const FEW = 5;

/** Addresses, times and names of an email; each links to the emails or the person behind it. */
export function factsOf(email: Email, topic: string | undefined): Facts {
  const { from, to, cc, bcc, reply_to, created_at, scheduled_at, priority, id, message_id, tags, topic_id } = email;
  const { resent_from, held } = email;
  const names = TEXTS.facts;
  return {
    [names.from]: (
      <Link href={emailsLink({ from: addressOf(from) })} title={TEXTS.fromSame}>
        <bdi>{plainName(from)}</bdi>
      </Link>
    ),
    [names.to]: <People list={to} />,
    [names.cc]: cc.length > 0 && <People list={cc} />,
    [names.bcc]: bcc.length > 0 && <People list={bcc} />,
    [names.replyTo]: reply_to.length > 0 && <People list={reply_to} />,
    [names.created]: <ExactTime value={created_at} />,
    [names.scheduled]: scheduled_at !== null && <ExactTime value={scheduled_at} />,
    [names.priority]: priority === 'bulk' && TEXTS.bulk,
    [names.held]: held !== undefined && (
      <>
        <ExactTime value={held.since} />: <bdi>{plainName(held.reason)}</bdi>
      </>
    ),
    [names.tags]: tags.length > 0 && <Tags tags={tags} />,
    [names.topic]: topic_id !== null && (
      <Link href={emailsLink({ topic: topic_id })}>
        <bdi>{plainName(topic ?? shortId(topic_id))}</bdi>
      </Link>
    ),
    [names.id]: <Copyable value={id} shown={shortId(id)} what={TEXTS.ofId} />,
    [names.messageId]: <Copyable value={message_id} what={TEXTS.ofMessageId} />,
    [names.resentFrom]: resent_from !== undefined && (
      <Link href={`/emails/${resent_from}`}>{shortId(resent_from)}</Link>
    ),
  };
}

/** The first of many, or all on request, so that the timeline below stays visible. */
function People({ list }: { list: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? list : list.slice(0, FEW);
  return (
    <ul className="email-values">
      {shown.map((mailbox, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mailbox may repeat, and the list never changes
        <li key={at}>
          <Link href={personLink(addressOf(mailbox))}>
            <bdi>{plainName(mailbox)}</bdi>
          </Link>
        </li>
      ))}
      {shown.length < list.length && (
        <li>
          <button type="button" className="quiet" onClick={() => setWhole(true)}>
            {TEXTS.showMore(list.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

function Tags({ tags }: Pick<Email, 'tags'>) {
  return (
    <ul className="email-values">
      {tags.map(({ name, value }) => (
        <li key={name}>
          <Link className="email-tag" href={emailsLink({ tag: `${name}:${value}` })} title={TEXTS.tagged}>
            {name}: {value}
          </Link>
        </li>
      ))}
    </ul>
  );
}
