import type { InboxSignatures } from '../../../../src/inbox/inbox-signatures';
import { unsubscribeOffer } from '../../parts/unsubscribe-offer';
import { TEXTS } from './texts';

/** The result of the signatures of a message, in words. */
export function signatureText({ status, signatures }: InboxSignatures): string {
  const texts = TEXTS.signature;
  if (status === 'pending' || status === 'none') return texts[status];
  const ofStatus = signatures.filter(({ result }) => result === status);
  const best = ofStatus.find(({ aligned }) => aligned) ?? ofStatus[0];
  if (status === 'pass') return best?.aligned ? texts.pass(best.domain) : texts.passOther(best?.domain ?? '');
  return texts[status](best?.reason ?? (status === 'fail' ? texts.unreadable : texts.unknown));
}

/** Ways to unsubscribe that the header of a message offers, in words. */
export function unsubscribeText(headers: readonly { name: string; value: string }[]): string {
  return TEXTS.unsubscribe[unsubscribeOffer(headers)];
}
