import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RecipientDecision, RecipientPolicy, RecipientQuestion } from '../../index.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { checkAccountId } from '../../shared/text/account-id.js';
import { Batcher } from '../../shared/work/batcher.js';
import type { FeedbackOptions } from '../feedback.options.js';
import { FEEDBACK_OPTIONS } from '../feedback.tokens.js';
import { ErasedForm } from './erased-form.js';
import type { SuppressionOrigin } from './suppression-origin.js';
import { FIND_REFUSED } from './suppressions.sql.js';

/** Limits of emails, and of addresses of one email, that one statement asks about. */
const GROUP = 100;
const SLICE = 500;
/** Interval between two statements while few emails wait: messages are prepared before their turn. Milliseconds. */
const PACE = 20;

const ALLOWED: RecipientDecision = { allowed: true };

/** Webhooks name the reason so. */
const REASONS: Readonly<Record<SuppressionOrigin, 'previous_bounce' | 'previous_complaint' | 'manual'>> = {
  bounce: 'previous_bounce',
  complaint: 'previous_complaint',
  manual: 'manual',
};

interface Asked {
  accountId: string;
  addresses: readonly string[];
}

interface Found {
  /** Place of the address among those that were asked about, from 1. */
  place: number;
  origin: SuppressionOrigin;
  reason: string | null;
}

const SIMULATED = refusalOf({ origin: 'manual', reason: null });

/** The suppression list at delivery. Emails that are asked about at the same time share a statement. */
@Injectable()
export class SuppressionList implements RecipientPolicy {
  readonly isSuppressionList = true;
  private readonly questions = new Batcher<Asked, RecipientDecision[]>((asked) => this.answer(asked), {
    maxSize: GROUP,
    pace: PACE,
  });

  /** @internal Made by `feedback()`. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly erased: ErasedForm,
    @Inject(FEEDBACK_OPTIONS) private readonly options: Pick<FeedbackOptions, 'isSuppressed' | 'exemptAccounts'>,
  ) {}

  async decide({ accountId, addresses }: Pick<RecipientQuestion, 'accountId' | 'addresses'>) {
    checkAccountId(accountId);
    if (this.options.exemptAccounts?.includes(accountId)) return addresses.map(() => ALLOWED);
    const slices = Array.from({ length: Math.ceil(addresses.length / SLICE) }, (_, at) =>
      this.questions.add({ accountId, addresses: addresses.slice(at * SLICE, (at + 1) * SLICE) }),
    );
    return (await Promise.all(slices)).flat();
  }

  private async answer(asked: readonly Asked[]): Promise<RecipientDecision[][]> {
    const keys = asked.flatMap(({ addresses }) => addresses.map(addressKey));
    const accounts = asked.flatMap(({ accountId, addresses }) => addresses.map(() => accountId));
    const forms = await this.erased.of(keys);
    const found = await onMaster(this.dataSource, (manager) =>
      manager.query<Found[]>(FIND_REFUSED, [accounts, keys, forms]),
    );
    const refused = new Map(found.map((entry) => [Number(entry.place), entry]));
    let place = 0;
    return asked.map(({ addresses }) =>
      addresses.map((address) => {
        const entry = refused.get(++place);
        if (entry) return refusalOf(entry);
        return this.options.isSuppressed?.(address) ? SIMULATED : ALLOWED;
      }),
    );
  }
}

function refusalOf({ origin, reason }: Pick<Found, 'origin' | 'reason'>): RecipientDecision {
  const code = REASONS[origin];
  const diagnosticCode = reason === null ? [] : [`smtp; ${reason}`];
  return { allowed: false, code, ...(reason !== null && { reason }), suppressed: { reason: code, diagnosticCode } };
}
