import { useTitle } from '../../../hooks/use-title';
import { StateBadge } from '../../../parts/badge';
import { DetailScreen } from '../../../parts/detail-screen';
import { plainName } from '../../../parts/plain-name';
import { DetailSkeleton } from '../../../parts/skeleton';
import { useMay } from '../../../parts/use-may';
import { EmailActions } from './actions/email-actions';
import { Contents } from './content/contents';
import { standingOf } from './content/standing';
import { factsOf } from './facts';
import { TEXTS } from './texts';
import { Timeline } from './timeline/timeline';
import { useAttachments, useEmail, useTopicName } from './use-email';
import './email.css';

/** One email with its data, timeline, contents and possible actions. Polls until it is final. */
export default function EmailDetail({ id }: { id: string }) {
  const { email: query, recipients, events, isWhole } = useEmail(id);
  const { data } = query;
  const mayRead = useMay()('support');
  const attachments = useAttachments(id, mayRead && data !== undefined && !data.sensitive);
  const topic = useTopicName(data?.topic_id ?? null);
  useTitle(data === undefined ? 'Emails' : titleOf(data.subject));
  return (
    <DetailScreen query={query} failure={TEXTS.notRead} missing={TEXTS.missing}>
      {(email) => {
        const standing = standingOf(email, attachments.data, mayRead);
        return {
          lead: (
            <div className="email-lead">
              <StateBadge state={email.last_event} />
              {email.held && <StateBadge state="held" />}
              {standing === 'empty' && <StateBadge state="no_content" />}
              <EmailActions
                email={email}
                recipients={recipients}
                attachmentCount={attachments.data?.length ?? 0}
                standing={standing}
              />
            </div>
          ),
          title: (
            <bdi className="email-subject" title={plainName(email.subject)}>
              {titleOf(email.subject)}
            </bdi>
          ),
          facts: factsOf(email, topic),
          content: isWhole ? (
            <>
              <Timeline events={events} recipients={recipients} topic={topic} />
              <Contents email={email} attachments={attachments} standing={standing} />
            </>
          ) : (
            <DetailSkeleton />
          ),
        };
      }}
    </DetailScreen>
  );
}

function titleOf(subject: string): string {
  return plainName(subject.trim()) || TEXTS.noSubject;
}
