import { useQuery } from '@tanstack/react-query';
import { TEXTS } from './texts';
import { statisticsQuery } from './webhook-queries';

/** Share of an endpoint's latest events that it accepted. */
export function SuccessRate({ webhookId }: { webhookId: string }) {
  const { data } = useQuery(statisticsQuery);
  const found = data?.find(({ id }) => id === webhookId);
  if (!found) return <span className="success-rate" />;
  const { success_rate: rate, events } = found;
  if (rate === null) return <span className="success-rate soft">{TEXTS.noRate}</span>;
  return (
    <span className={`success-rate ${toneOf(rate)}`} title={TEXTS.rateTitle(events)}>
      {TEXTS.rate(rate)} <span className="soft">{TEXTS.successRate}</span>
    </span>
  );
}

function toneOf(rate: number): string {
  if (rate >= 0.99) return 'good';
  return rate >= 0.9 ? 'fair' : 'poor';
}
