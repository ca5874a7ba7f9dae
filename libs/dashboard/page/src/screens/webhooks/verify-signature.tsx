import { Snippet } from '../../parts/snippet';
import { TEXTS } from './texts';
import { VERIFY_SNIPPETS } from './verify-snippets';

/** How a receiver verifies requests, in several languages. */
export function VerifySignature() {
  return (
    <details className="verify-signature">
      <summary>{TEXTS.verify}</summary>
      <p className="soft">{TEXTS.verifyLead}</p>
      <Snippet label={TEXTS.verify} texts={VERIFY_SNIPPETS} />
    </details>
  );
}
