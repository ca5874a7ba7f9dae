import { lazy, Suspense } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { Panes } from '../../parts/panes';
import { DetailSkeleton } from '../../parts/skeleton';
import { EmailList } from './list/email-list';
import { TEXTS } from './texts';
import './emails.css';

const EmailDetail = lazy(() => import('./email/email-detail'));

/** Emails, newest first, with the selected one to the right. */
export default function EmailsScreen() {
  const { id } = useParams<{ id?: string }>();
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = search === '' ? '' : `?${search}`;
  const back = `/emails${query}`;
  return (
    <Panes
      back={{ href: back, title: TEXTS.title }}
      list={<EmailList chosenId={id} query={query} onClose={() => navigate(back)} />}
      detail={
        id !== undefined && (
          <Suspense fallback={<DetailSkeleton />}>
            <EmailDetail key={id} id={id} />
          </Suspense>
        )
      }
    />
  );
}
