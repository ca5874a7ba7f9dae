import { useQuery } from '@tanstack/react-query';
import { ApiProblem, ask } from '../../api/client';
import { useVisible } from '../../hooks/use-visible';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { OperatorSignIn } from './operator-sign-in';
import type { Report } from './report';
import { ReportView } from './report-view';
import './health.css';

/** How often it is asked for. Milliseconds. */
const INTERVAL = 5_000;

/** How the system is, for who knows the token of operators. */
export default function HealthScreen() {
  const isVisible = useVisible();
  const { data, error, refetch } = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => ask<Report>('GET', 'operations', { signal }),
    refetchInterval: ({ state }) => isVisible && !isClosed(state.error) && INTERVAL,
  });
  return (
    <>
      <ScreenHead title="Health" />
      <div className="health">
        {isClosed(error) ? (
          <OperatorSignIn wasIn={data !== undefined} onOpened={() => void refetch()} />
        ) : (
          <>
            {error && (
              <Problem
                what="The report could not be read"
                error={error}
                meaning="This says nothing of the emails: what was taken is kept, and sent as soon as it can be."
                onRetry={() => void refetch()}
              />
            )}
            {data && <ReportView report={data} />}
          </>
        )}
      </div>
    </>
  );
}

/** Whether the token of operators is asked for. */
function isClosed(error: Error | null): boolean {
  return error instanceof ApiProblem && error.status === 403;
}
