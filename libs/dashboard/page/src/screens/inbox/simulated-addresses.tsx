import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client';
import { Problem } from '../../parts/problem';
import type { Hint } from './inbox-api';
import { TEXTS } from './texts';

/** Every simulated address, as a button that sends an email to it. */
export function SimulatedAddresses({ hints }: { hints: readonly Hint[] }) {
  const sending = useMutation({
    mutationFn: async (address: string) => {
      const body = { from: 'Acme <acme@example.com>', to: address, subject: `To ${address}`, html: '<p>It works.</p>' };
      return { address, ...(await api<{ id: string }>('POST', 'emails', { body })) };
    },
  });
  return (
    <div className="stack">
      <p className="soft">{TEXTS.simulatedLead}</p>
      <ul className="inbox-simulated">
        {hints.map(({ address, effect }) => (
          <li key={address}>
            <button type="button" disabled={sending.isPending} onClick={() => sending.mutate(address)}>
              {TEXTS.sendTo(address)}
            </button>
            <span className="soft">{effect}</span>
          </li>
        ))}
      </ul>
      <p role="status">
        {sending.data && (
          <>
            {TEXTS.sent(sending.data.address)} <Link href={`/emails/${sending.data.id}`}>{TEXTS.viewEmail}</Link>
          </>
        )}
      </p>
      {sending.error && <Problem what={TEXTS.sendFailed} error={sending.error} />}
    </div>
  );
}
