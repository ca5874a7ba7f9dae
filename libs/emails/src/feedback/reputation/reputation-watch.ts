import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { EmailsService } from '../../index.js';
import { EMAILS_SERVICE } from '../../shared/features/emails-service.token.js';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import { FeedbackAlarms } from '../alarms/feedback-alarms.js';
import { BadHours } from '../bad-hours/bad-hours.js';
import { FLUSH_AFTER } from '../bad-hours/operator-counter.js';
import { BounceNotice } from '../bounce-notice.js';
import type { FeedbackOptions } from '../feedback.options.js';
import { FEEDBACK_OPTIONS } from '../feedback.tokens.js';
import { judgeReputation, type OnReputation, sentenceOf } from './judge-reputation.js';
import type { ReputationLevel } from './next-level.js';
import type { AccountReputation, ReputationVerdict } from './reputation-rates.js';
import { type CheckedReputation, ReputationsRepository } from './reputations.repository.js';

/** Accounts of one step. */
const STEP = 100;
/** Time between two looks without news, or at those of a process that died. Milliseconds. */
const INTERVAL = 60_000;
/** By then every process has written the recipients that belong to the bounces. Milliseconds. */
const AFTER_NEWS = FLUSH_AFTER + 2_000;

/**
 * Looks for bad hours of operators, then judges the rates of accounts with new bounces or complaints, and acts on them: an
 * alarm, a hold. The level is recorded before it is acted on, so that another process does it if this one dies.
 */
@Injectable()
export class ReputationWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ReputationWatch.name);
  private readonly rule: OnReputation;
  private readonly task = new PeriodicTask(
    () => this.step(),
    INTERVAL,
    () => this.logger.warn('Bounces and complaints could not be checked. It will be tried again.'),
  );

  constructor(
    @Inject(ReputationsRepository)
    private readonly reputations: Pick<ReputationsRepository, keyof ReputationsRepository>,
    @Inject(EMAILS_SERVICE) private readonly emails: Pick<EmailsService, 'hold' | 'holds'>,
    @Inject(FeedbackAlarms) private readonly alarms: Pick<FeedbackAlarms, 'begin' | 'end' | 'attempt'>,
    private readonly notice: BounceNotice,
    @Inject(BadHours) private readonly badHours: Pick<BadHours, 'step' | 'isSuspected'>,
    @Inject(FEEDBACK_OPTIONS) { onReputation = 'warn' }: Pick<FeedbackOptions, 'onReputation'>,
  ) {
    this.rule = onReputation;
  }

  onApplicationBootstrap(): void {
    this.notice.watch(() => this.task.wakeIn(AFTER_NEWS));
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.notice.watch(() => {});
    await this.task.stop();
  }

  /** Resolves with true when there may be more to do. */
  async step(): Promise<boolean> {
    // A bad hour that begins takes its refusals off the counts: they are no fault of the accounts.
    await this.badHours.step();
    const due = await this.reputations.findDue(STEP);
    // After the levels were read: a hold that is recorded as done and not there was ended by hand.
    const held = due.some(({ wasHeld }) => wasHeld) ? await this.heldAccounts() : new Set();
    const isSuspected = this.rule === 'hold' && due.length > 0 && (await this.badHours.isSuspected());
    for (const { accountId, wasHeld } of due) {
      const checked = await this.reputations.check(accountId, wasHeld && !held.has(accountId), (reputation) =>
        this.judge(reputation, isSuspected),
      );
      if (checked?.isNews) await this.alarms.attempt(`account ${accountId}`, () => this.say(checked));
    }
    return due.length === STEP;
  }

  private judge(reputation: AccountReputation, isBadHourSuspected: boolean): ReputationVerdict {
    try {
      return judgeReputation(reputation, this.rule, isBadHourSuspected);
    } catch (error) {
      this.logger.error(
        `\`onReputation\` failed: ${error instanceof Error ? error.name : 'unknown error'}. \`warn\` decides instead.`,
      );
      return judgeReputation(reputation, 'warn');
    }
  }

  private async say({ reputation, level, since }: CheckedReputation): Promise<void> {
    const { accountId } = reputation;
    const text = sentenceOf(reputation);
    if (level === 'hold' && !(await this.heldAccounts()).has(accountId)) await this.emails.hold(accountId, text);
    await this.alarm(accountId, level, since ?? new Date(), text);
    await this.reputations.said(accountId, level);
  }

  private async heldAccounts(): Promise<Set<string>> {
    return new Set((await this.emails.holds()).map(({ accountId }) => accountId));
  }

  private async alarm(account: string, level: ReputationLevel, since: Date, sentence: string): Promise<void> {
    const rates = { code: 'reputation' as const, account, subject: account };
    const hold = { code: 'account_held' as const, account, subject: account };
    if (level === null) {
      const why = 'its rates of bounces and complaints are good again, or its hold was ended by hand';
      return this.alarms.end(`Account ${account} no longer endangers your reputation: ${why}.`, rates, hold);
    }
    if (level === 'warn') {
      await this.alarms.begin({
        ...rates,
        since,
        text: `Account ${account} has many bounces or complaints. ${sentence}`,
      });
      return;
    }
    await this.alarms.begin({
      ...hold,
      since,
      text:
        `Account ${account} is held: it has many bounces or complaints. ${sentence} ` +
        'Its emails are kept until `EmailsService.release` is called.',
    });
  }
}
