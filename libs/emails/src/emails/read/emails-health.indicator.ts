import { Injectable } from '@nestjs/common';
import { inTime } from '../../shared/work/in-time.js';
import type { HealthCheck } from '../ports/health-check.js';
import type { PausedPart } from '../ports/pause.js';
import type { StagingPart } from '../ports/staging-part.js';
import type { DueEmails } from './emails-backlog.service.js';

/** Limit after which emails are late. */
export interface EmailsHealthOptions {
  /** Longest wait of the oldest due email. Milliseconds. Default: 300,000. */
  maxWait?: number;
}

/** The result type of `@nestjs/terminus`. */
export type EmailsHealthResult<Key extends string = string> = Record<
  Key,
  {
    status: 'up' | 'down';
    due?: number;
    oldest?: number;
    message?: string;
    staging?: readonly StagingPart[];
    paused?: readonly PausedPart[];
  }
>;

const MAX_WAIT = 300_000;
/** Timeout of the database's answer. Milliseconds. */
const PATIENCE = 3_000;

/**
 * A health indicator in the form of `@nestjs/terminus`: up while emails are sent about when they are due. Down means
 * that they are late, not that any is lost. Every process answers the same.
 *
 * @example
 * ```ts
 * @Controller('health')
 * export class HealthController {
 *   constructor(
 *     private readonly health: HealthCheckService,
 *     private readonly emails: EmailsHealthIndicator,
 *   ) {}
 *
 *   @Get()
 *   @HealthCheck()
 *   check() {
 *     return this.health.check([() => this.emails.isHealthy('emails')]);
 *   }
 * }
 * ```
 */
@Injectable()
export class EmailsHealthIndicator {
  /** @internal Made by `EmailsModule`. */
  constructor(
    private readonly backlog: { due(): Promise<Pick<DueEmails, 'count' | 'oldestAge'>> },
    private readonly checks: readonly HealthCheck[] = [],
    private readonly staging: readonly StagingPart[] = [],
    private readonly pauses: { parts(): Promise<PausedPart[]> } = { parts: async () => [] },
  ) {}

  /**
   * @returns `due`, the number of due emails, and `oldest`, the wait of the oldest in milliseconds; `staging` while the
   * staging switch is on; `paused`, the kinds of mail that are paused, while any is
   */
  async isHealthy<Key extends string>(
    key: Key,
    { maxWait = MAX_WAIT }: EmailsHealthOptions = {},
  ): Promise<EmailsHealthResult<Key>> {
    try {
      const asked = Promise.all([this.backlog.due(), this.pauses.parts()]);
      const [{ count: due, oldestAge: oldest }, paused] = await inTime(asked, PATIENCE, refuse);
      const message = await this.problemOfFeatures();
      const isUp = oldest <= maxWait && message === undefined;
      const { staging } = this;
      return resultOf(key, {
        status: isUp ? 'up' : 'down',
        due,
        oldest,
        ...(message !== undefined && { message }),
        ...(staging.length > 0 && { staging }),
        ...(paused.length > 0 && { paused }),
      });
    } catch {
      return resultOf(key, { status: 'down', message: 'The database cannot be asked.' });
    }
  }

  private async problemOfFeatures(): Promise<string | undefined> {
    const asked = this.checks.map((one) => inTime(one.check(), PATIENCE, refuseToWait));
    const results = await Promise.allSettled(asked);
    const problems = results.flatMap((result, index) =>
      result.status === 'rejected' ? [`${this.checks[index]?.name}: ${(result.reason as Error).message}`] : [],
    );
    return problems.length > 0 ? problems.join(' ') : undefined;
  }
}

function refuseToWait(): never {
  throw new Error('There was no answer in time.');
}

function refuse(): never {
  throw new Error('The database does not answer.');
}

function resultOf<Key extends string>(key: Key, found: EmailsHealthResult[string]): EmailsHealthResult<Key> {
  return { [key]: found } as EmailsHealthResult<Key>;
}
