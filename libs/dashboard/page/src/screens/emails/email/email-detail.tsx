import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiProblem, api } from '../../../api/client';
import type { Email, EmailRecipient, List } from '../../../api/types';
import { useUrlState } from '../../../hooks/use-url-state';
import { useVisible } from '../../../hooks/use-visible';
import { Copyable, shortId } from '../../../parts/copyable';
import { Empty } from '../../../parts/empty';
import { Problem } from '../../../parts/problem';
import { StateMark } from '../../../parts/state-mark';
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

/** How many addresses are shown in any case. */
const FEW = 5;

/** One email: what it is, what became of it, and what can be done now. Follows it until nothing more will happen. */
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
  const { data, error } = email;
  const recipients = useQuery({
    queryKey: ['emails', 'recipients', id, data?.last_event],
    queryFn: ({ signal }) => api<List<EmailRecipient>>('GET', `emails/${id}/recipients`, { signal }),
    enabled: data !== undefined,
    placeholderData: (known) => known,
    refetchInterval: ({ state: { data: known } }) =>
      isVisible && data !== undefined && intervalOf(data.last_event, known?.data),
  });

  if (data === undefined) {
    if (error instanceof ApiProblem && [404, 422].includes(error.status)) {
      return (
        <Empty title="There is no such email">
          <p>It may belong to another account, or the link is not whole.</p>
        </Empty>
      );
    }
    if (error) return <Problem what="The email could not be read" error={error} onRetry={() => void email.refetch()} />;
    return <p className="only-read">Loading</p>;
  }
  const all = recipients.data?.data ?? [];
  return (
    <article className="email stack">
      <header className="email-head">
        <div className="bar">
          <h2>{data.subject.trim() || 'Without a subject'}</h2>
          <StateMark state={data.last_event} />
          {isEmpty(data) && <StateMark state="no_content" />}
          <Actions email={data} recipients={all} />
        </div>
        <Facts email={data} />
      </header>
      <Timeline id={id} email={data} recipients={all} />
      <Contents email={data} />
    </article>
  );
}

function Facts({ email }: { email: Email }) {
  const { from, to, cc, bcc, reply_to, created_at, scheduled_at, id, message_id, tags, topic_id, resent_from } = email;
  const mailboxes: readonly (readonly [string, readonly string[]])[] = [
    ['From', [from]],
    ['To', to],
    ['Cc', cc],
    ['Bcc', bcc],
    ['Reply to', reply_to],
  ];
  return (
    <dl>
      {mailboxes.map(
        ([name, list]) =>
          list.length > 0 && (
            <Fact key={name} name={name}>
              <Addresses list={list} />
            </Fact>
          ),
      )}
      <Fact name="Accepted">
        <Time value={created_at} />
      </Fact>
      {scheduled_at !== null && (
        <Fact name="Scheduled for">
          <Time value={scheduled_at} />
        </Fact>
      )}
      <Fact name="Id">
        <Copyable value={id} shown={shortId(id)} what="the id" />
      </Fact>
      <Fact name="Message id">
        <Copyable value={message_id} what="the message id" />
      </Fact>
      {tags.length > 0 && <Fact name="Tags">{tags.map(({ name, value }) => `${name}: ${value}`).join(', ')}</Fact>}
      {topic_id !== null && <Fact name="Topic">{topic_id}</Fact>}
      {resent_from !== undefined && (
        <Fact name="Sent again of">
          <Link href={`/emails/${resent_from}`}>{shortId(resent_from)}</Link>
        </Fact>
      )}
    </dl>
  );
}

/** The first of many, and all when they are asked for: what happened comes below them. */
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

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
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
            title="The email as it looks"
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
      <p className="soft">The email was given no text. One is made of its html when it is sent: see its source.</p>
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

/** True when the email was accepted without content. Content that was cleared is null too. */
function isEmpty({ no_content, html, text }: Email): boolean {
  return no_content === true || (!html && text === '');
}
