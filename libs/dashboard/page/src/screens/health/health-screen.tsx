import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationsReport } from '../../../../src/operations/dashboard-operations';
import { ApiProblem, ask } from '../../api/client';
import { useVisible } from '../../hooks/use-visible';
import { Problem } from '../../parts/problem';
import { ScreenHead } from '../../parts/screen-head';
import { OperatorSignIn } from './operator-sign-in';
import { ReportView } from './report-view';
import { TEXTS } from './texts';
import './health.css';

/** Polling intervals while everything works, and while something does not. Milliseconds. */
const INTERVALS = { ok: 30_000, degraded: 10_000, down: 10_000 } as const;

/** The system's health, for holders of the operators' token. */
export default function HealthScreen() {
  const isVisible = useVisible();
  const [wasIn, setWasIn] = useState(false);
  const {
    data: report,
    error,
    refetch,
  } = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => readReport(signal),
    refetchInterval: ({ state: { data } }) => isVisible && data !== null && INTERVALS[data?.status ?? 'down'],
  });
  if (report && !wasIn) setWasIn(true);
  return (
    <>
      <ScreenHead title={TEXTS.title} />
      <div className="health">
        {report === null && <OperatorSignIn wasIn={wasIn} onOpened={() => void refetch()} />}
        {error && (
          <Problem what={TEXTS.notRead} error={error} meaning={TEXTS.notAffected} onRetry={() => void refetch()} />
        )}
        {report && <ReportView report={report} />}
      </div>
    </>
  );
}

/** Null until the operators' token was entered. */
async function readReport(signal: AbortSignal): Promise<OperationsReport | null> {
  try {
    return await ask<OperationsReport>('GET', 'operations', { signal });
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 403) return null;
    throw error;
  }
}
