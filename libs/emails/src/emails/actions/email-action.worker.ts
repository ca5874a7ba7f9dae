import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { isDatabaseUnavailable, isLockTimeout, isStatementEnded } from '../../shared/errors/database-errors.js';
import { errorReport } from '../../shared/errors/error-report.js';
import { storableText } from '../../shared/text/storable-text.js';
import { readValues } from '../../shared/validation/read-fields.js';
import type { ChangeService } from '../change/change.service.js';
import type { ResendService } from '../send/resend/resend.service.js';
import { ResendEmailDto } from '../send/resend/resend-email.dto.js';
import { codeOfPolicy } from '../send/sender-policies.js';
import {
  type ActionPlace,
  type ActionStore,
  type ClaimedAction,
  type EmailResult,
  LostActionError,
} from '../storage/actions/action.repository.js';
import type { EmailAction } from './start-action.dto.js';

/** Emails of one step, and its duration if they take longer, in milliseconds. Then other actions have their turn. */
const STEP = 100;
const STEP_TIME = 2_000;
/** Delay before a failed step is tried again. Milliseconds. */
const PAUSE = 2_000;
/** Retention of the idempotency keys of resent emails: no action is interrupted for longer. Milliseconds. */
const KEY_RETENTION = 90 * 86_400_000;
/** Limit of the message of a refusal. Characters. */
const MESSAGE = 500;

/**
 * Carries out actions on many emails, one email after the other, by the services of the single operations. Any number of
 * processes may run it: an action has a lease, and each email is counted in the transaction that changes it, or under an
 * idempotency key of its own, so that a process may die at any moment. A process without actions has no timer for them.
 */
@Injectable()
export class EmailActionWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EmailActionWorker.name);
  private endWatch = () => {};
  private running: Promise<void> | undefined;
  private isAwake = false;
  private isStopped = false;

  constructor(
    private readonly actions: Pick<ActionStore, 'watch' | 'claim' | 'advance' | 'release'>,
    private readonly changes: Pick<ChangeService, 'cancel' | 'retry'>,
    private readonly resends: Pick<ResendService, 'resend'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  onApplicationBootstrap(): void {
    this.endWatch = this.actions.watch(() => this.wake());
  }

  /** Resolves when the current email is finished; another process continues. */
  async beforeApplicationShutdown(): Promise<void> {
    this.endWatch();
    this.isStopped = true;
    await this.running;
  }

  /** Starts the due actions at once. */
  wake(): void {
    this.isAwake = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  /** Resolves with false when none is due. */
  async step(): Promise<boolean> {
    const claim = await this.actions.claim(STEP);
    if (!claim) return false;
    let pause = PAUSE;
    try {
      await this.actOnAll(claim);
      pause = 0;
    } catch (error) {
      // Another worker continues, or this one from where it is.
      if (!(error instanceof LostActionError)) throw error;
      pause = 0;
    } finally {
      await this.actions.release(claim, pause);
    }
    return true;
  }

  /** A failed step is found again by the watch. */
  private async run(): Promise<void> {
    try {
      while (this.isAwake && !this.isStopped) {
        this.isAwake = false;
        while (!this.isStopped && (await this.step()));
      }
    } catch {
      this.logger.warn('A step of an action on emails failed. It will be tried again.');
    }
  }

  private async actOnAll(claim: ClaimedAction): Promise<void> {
    const { id, fence } = claim;
    const end = this.now() + STEP_TIME;
    for (const [at, email] of claim.emails.entries()) {
      if (this.isStopped || this.now() > end) return;
      await this.actOn(claim, email, { id, fence, place: claim.place + at });
    }
  }

  private async actOn(claim: ClaimedAction, email: string, place: ActionPlace): Promise<void> {
    let isCounted = false;
    const count: Alongside = async (transaction) => {
      await this.actions.advance(place, email, { done: true }, transaction);
      isCounted = true;
    };
    const result = await this.resultOf(claim, place, () => this.act(claim, email, count));
    if (!isCounted || !('done' in result)) await this.actions.advance(place, email, result);
  }

  private act({ id, accountId, action, apiKeyId, domainId }: ClaimedAction, email: string, count: Alongside) {
    switch (action as EmailAction) {
      case 'cancel':
        return this.changes.cancel(accountId, email, undefined, count);
      case 'retry':
        return this.changes.retry(accountId, email, undefined, count);
      case 'resend':
        return this.resends.resend(accountId, email, readValues({}, ResendEmailDto), {
          idempotencyKey: `email-action:${id}`,
          retention: KEY_RETENTION,
          isBulk: true,
          key: { apiKeyId: apiKeyId ?? undefined, domainId: domainId ?? undefined },
        });
    }
  }

  /**
   * An email that is locked, or cannot be decided about now, waits until all others are done, once.
   *
   * @throws the failure of the database, if it is away
   */
  private async resultOf(
    { matched }: ClaimedAction,
    { place }: ActionPlace,
    act: () => Promise<unknown>,
  ): Promise<EmailResult> {
    try {
      await act();
      return { done: true };
    } catch (error) {
      const isSlow = isLockTimeout(error) || isStatementEnded(error);
      if (error instanceof LostActionError || (isDatabaseUnavailable(error) && !isSlow)) throw error;
      const refusal = error instanceof ApiError ? error : isSlow ? ApiError.locked() : ApiError.bug();
      if (refusal.name === 'application_error' && place < matched) return { postponed: true };
      if (refusal !== error && !isSlow) this.logger.error(errorReport(error));
      return { refusal: messageOf(refusal) };
    }
  }
}

/** Without the words of a policy: they may name a person, and no erasure would find them. */
function messageOf(refusal: ApiError): string {
  const code = codeOfPolicy(refusal);
  return code === undefined ? storableText(refusal.message, MESSAGE) : `A sender policy refused it: \`${code}\`.`;
}

/** Runs in the transaction of a change. */
type Alongside = NonNullable<Parameters<ChangeService['cancel']>[3]>;
