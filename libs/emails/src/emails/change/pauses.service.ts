import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import type { NewPause, Pause, PausedPart, PauseTarget } from '../ports/pause.js';
import type { PausedMail } from '../ports/paused-mail.js';
import { DeliveryQueue } from '../queue/delivery-queue.js';
import { PauseRepository, type PauseStore } from '../storage/deliver/pause.repository.js';
import { namesOfPause } from './names-of-pause.js';
import { Persistence } from './persistence.js';

/** Released emails that are woken at once; the sweep finds the others. */
const WOKEN = 1_000;
/** Limit for the time in which all emails of a pause are released. Milliseconds. */
const LONGEST_RELEASE = 120_000;

/** Keeps mail back. Workers ask when they lease an email, when they write its attempt, and again before a message that waited. */
@Injectable()
export class PausesService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Pauses');

  constructor(
    @Inject(PauseRepository) private readonly repository: PauseStore,
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'wake'>,
    private readonly persistence: Persistence,
  ) {}

  /** Names the pauses in force. The start does not depend on it. */
  async onApplicationBootstrap(): Promise<void> {
    for (const pause of await this.list().catch(() => [])) {
      const { since, reason } = pause;
      this.logger.warn(`Paused since ${since.toISOString()}: ${namesOfPause(pause)}. ${reason}`);
    }
  }

  /** Resolves when no process begins such a message any more. @throws ApiError 503 when its row is locked, or the database is away */
  async pause(pause: NewPause): Promise<void> {
    const reason = storableText(pause.reason, MAX_REASON);
    const { result } = await this.persistence.make(() => this.repository.begin({ ...pause, reason }));
    if (result.isNew) this.logger.warn(`Paused: ${namesOfPause(pause)}. Emails are accepted and wait. ${reason}`);
    // An earlier call for the same mail may have been a moment ago.
    await wait(result.inForceIn);
  }

  /** @throws ApiError 503 when an email of it is locked, or the database is away */
  async resume(target: PauseTarget): Promise<void> {
    const end = () => this.repository.end(target, WOKEN);
    const { result } = await this.persistence.make(end, LONGEST_RELEASE);
    if (result.hasEnded) this.logger.log(`Resumed: ${namesOfPause(target)}. Emails that waited are sent.`);
    for (const email of result.emails) this.queue.wake({ ...email, delay: 0, mayShare: true });
  }

  mail(target: PauseTarget): Promise<PausedMail> {
    return this.repository.mail(target);
  }

  list(): Promise<Pause[]> {
    return this.repository.list();
  }

  /** The kinds of mail that are paused, without ids: for health. */
  async parts(): Promise<PausedPart[]> {
    return [...new Set((await this.list()).map(partOf))];
  }
}

function partOf({ account, topic, template, transport }: Pause): PausedPart {
  if (transport !== undefined) return 'transports';
  if (account !== undefined) return 'accounts';
  if (topic !== undefined) return 'topics';
  return template === undefined ? 'everything' : 'templates';
}
