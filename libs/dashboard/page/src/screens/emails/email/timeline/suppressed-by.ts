import type { EmailEvent } from '../../../../api/types';
import { ERASED_ADDRESS } from '../../../../parts/erased-address';

/** The recipient whom an event found on the suppression list, or added to it; undefined for other events. */
export function suppressedBy({ type, recipient, bounce, source }: EmailEvent): string | undefined {
  const isListed =
    type === 'complained' ||
    (type === 'suppressed' && source === 'suppression') ||
    (type === 'bounced' && bounce?.type === 'Permanent');
  return isListed && recipient !== null && recipient !== ERASED_ADDRESS ? recipient : undefined;
}
