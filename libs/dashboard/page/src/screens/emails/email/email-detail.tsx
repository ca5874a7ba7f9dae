import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../../api/client';
import type { Email, EmailRecipient, List } from '../../../api/types';
import { useUrlState } from '../../../hooks/use-url-state';
import { useVisible } from '../../../hooks/use-visible';
import { StateBadge } from '../../../parts/badge';
import { Copyable, shortId } from '../../../parts/copyable';
import { DetailScreen, type Facts } from '../../../parts/detail-screen';
import { ContentsHidden, OnlyFor } from '../../../parts/only-for';
import { StrangerFrame, widthOf } from '../../../parts/stranger-frame';
import { Tabs } from '../../../parts/tabs';
import { Time } from '../../../parts/time';
import { Actions } from './actions';
import { Attachments } from './attachments';
import { intervalOf } from './progress';
import { Headers, Source } from './source';
import { Timeline } from './timeline';
import './email.css';

const TABS = [
  { name: 'preview', title: 'Preview' },
  { name: 'text', title: 'Text' },
  { name: 'headers', title: 'Headers' },
  { name: 'source', title: 'Source' },
  { name: 'attachments', title: 'Attachments' },
] as const;

const MISSING = {
  title: 'There is no such email',
  text: 'It may belong to another account, or the link is incomplete.',
};

/** Number of addresses that are always shown. */
const FEW = 5;

/** One email with its data, events and possible actions. Polls until it is final. */
export default function EmailDetail({ id }: { id: string }) {
  const isVisible = useVisible();
  const client = useQueryClient();
  const email = useQuery({
    queryKey: ['emails', 'one', id],
    queryFn: ({ signal }) => api<Email>('GET', `emails/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => {
      const known = client.getQueryData<List<EmailRecipient>>(['emails', 'recipients', id, data?.last_event]);
      return isVisible && data !== undefined && intervalOf(data.last_event, known?.data);
    },
  });
  const { data } = email;
  const recipients = useQuery({
    queryKey: ['emails', 'recipients', id, data?.last_event],
    queryFn: ({ signal }) => api<List<EmailRecipient>>('GET', `emails/${id}/recipients`, { signal }),
    enabled: data !== undefined,
    placeholderData: (known) => known,
    refetchInterval: ({ state: { data: known } }) =>
      isVisible && data !== undefined && intervalOf(data.last_event, known?.data),
  });
  const all = recipients.data?.data ?? [];
  return (
    <DetailScreen query={email} failure="The email could not be read" missing={MISSING}>
      {(email) => ({
        title: email.subject.trim() || 'Without a subject',
        aside: (
          <>
            <StateBadge state={email.last_event} />
            {isEmpty(email) && <StateBadge state="no_content" />}
            <Actions email={email} recipients={all} />
          </>
        ),
        facts: factsOf(email),
        content: (
          <div className="email stack">
            <Timeline id={id} email={email} recipients={all} />
            <OnlyFor needs="support" else={<ContentsHidden />}>
              {email.sensitive ? <Sensitive /> : <Contents email={email} />}
            </OnlyFor>
          </div>
        ),
      })}
    </DetailScreen>
  );
}

function factsOf(email: Email): Facts {
  const { from, to, cc, bcc, reply_to, created_at, scheduled_at, id, message_id, tags, topic_id, resent_from } = email;
  return {
    From: from,
    To: <Addresses list={to} />,
    Cc: cc.length > 0 && <Addresses list={cc} />,
    Bcc: bcc.length > 0 && <Addresses list={bcc} />,
    'Reply to': reply_to.length > 0 && <Addresses list={reply_to} />,
    Accepted: <Time value={created_at} />,
    'Scheduled for': scheduled_at !== null && <Time value={scheduled_at} />,
    Id: <Copyable value={id} shown={shortId(id)} what="the id" />,
    'Message id': <Copyable value={message_id} what="the message id" />,
    Tags: tags.length > 0 && tags.map(({ name, value }) => `${name}: ${value}`).join(', '),
    Topic: topic_id ?? false,
    'Sent again of': resent_from !== undefined && <Link href={`/emails/${resent_from}`}>{shortId(resent_from)}</Link>,
  };
}

/** The first of many addresses, or all on request, so that the events below stay visible. */
function Addresses({ list }: { list: readonly string[] }) {
  if (list.length <= FEW) return list.join(', ');
  return (
    <details>
      <summary>
        {list.slice(0, FEW).join(', ')} and {list.length - FEW} more
      </summary>
      {list.slice(FEW).join(', ')}
    </details>
  );
}

function Contents({ email }: { email: Email }) {
  const [state, change] = useUrlState();
  const tab = TABS.find(({ name }) => name === state.get('tab'))?.name ?? 'preview';
  const hasContent = email.html !== null || email.text !== null;
  return (
    <Tabs
      label="Content of the email"
      tabs={TABS}
      chosen={tab}
      onChoose={(name) => change({ tab: name === 'preview' ? null : name })}
    >
      {tab === 'preview' &&
        (hasContent ? (
          <StrangerFrame
            key={email.id}
            path={`frames/emails/${email.id}`}
            title="Preview of the email"
            width={widthOf(state.get('width'))}
            onWidth={(width) => change({ width: width === 'full' ? null : width })}
          />
        ) : (
          <NoContent email={email} />
        ))}
      {tab === 'text' && <Text email={email} hasContent={hasContent} />}
      {tab === 'headers' && <Headers id={email.id} />}
      {tab === 'source' && <Source id={email.id} />}
      {tab === 'attachments' && <Attachments id={email.id} />}
    </Tabs>
  );
}

function Text({ email, hasContent }: { email: Email; hasContent: boolean }) {
  if (!hasContent) return <NoContent email={email} />;
  if (email.text === null || email.text === '') {
    return (
      <p className="soft">The email has no text of its own. Its text part is derived from the html: see the source.</p>
    );
  }
  return <pre>{email.text}</pre>;
}

function NoContent({ email }: { email: Email }) {
  return (
    <p className="soft">
      {isEmpty(email)
        ? 'The email was sent without html and text.'
        : 'The content of this email is no longer kept, or it has attachments only.'}
    </p>
  );
}

/** Takes the place of the content. */
function Sensitive() {
  return (
    <p className="soft">
      This email is sensitive: its content is shown nowhere, and deleted as soon as nothing is pending. It cannot be
      sent again, shared, or shown as a source.
    </p>
  );
}

/** True when the email was accepted without content. Cleared content is null too. */
function isEmpty({ no_content, html, text }: Email): boolean {
  return no_content === true || (!html && text === '');
}
