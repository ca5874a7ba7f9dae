import { inTime } from '../../shared/work/in-time.js';
import type { MessageSigner } from '../ports/message-signer.js';

/** Time limit for one signer, as for the stages. Milliseconds. */
const PATIENCE = 3_000;

/** Injection token of the `MessageSigner` that answers for all of them, and for a relay that signs. */
export const MESSAGE_SIGNERS = Symbol('nestjs-emails message signers');

/** The signers of the application as one. They are asked in their order until one signs. */
export class MessageSigners implements MessageSigner {
  /** @param dkim `relay`: the next hop signs everything, and nobody is asked */
  constructor(
    private readonly signers: readonly MessageSigner[] = [],
    private readonly dkim?: 'relay',
  ) {}

  async signs(accountId: string, fromDomain: string): Promise<boolean> {
    if (this.dkim === 'relay') return true;
    for (const signer of this.signers) {
      const answer: unknown = await inTime((async () => signer.signs(accountId, fromDomain))(), PATIENCE, () => {
        throw new SignerTooSlow();
      });
      if (typeof answer !== 'boolean') throw new InvalidSignerAnswer('A message signer must answer true or false.');
      if (answer) return true;
    }
    return false;
  }
}

class SignerTooSlow extends Error {
  override readonly name = 'SignerTooSlow';
}

class InvalidSignerAnswer extends Error {
  override readonly name = 'InvalidSignerAnswer';
}
