import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { NewPause, Pause, PauseTarget } from '../../ports/pause.js';
import type { PausedMail } from '../../ports/paused-mail.js';
import { PauseEntity } from '../entities/pause.entity.js';
import { BEGIN } from './change.sql.js';
import type { ReleasedEmail } from './delivery.repository.js';
import * as sql from './pause.sql.js';
import { transactOnce } from './transact-once.js';
import { UNPAUSED_HOLDS } from './unpaused.js';

/** Limit of the emails that are counted. */
const MOST_COUNTED = 100_000;
/** Accounts that are named. */
const MOST_ACCOUNTS = 100;

export interface BegunPause {
  kind: 'paused';
  /** False if there was such a pause already. */
  isNew: boolean;
  /** Milliseconds until no process begins a message by an older answer. */
  inForceIn: number;
}

export interface EndedPause {
  kind: 'released';
  /** False if there was no such pause. */
  hasEnded: boolean;
  /** The oldest of the released emails. Those that waited for a transport that is down come last. */
  emails: ReleasedEmail[];
}

/** The methods of `PauseRepository`, for tests with another storage. */
export type PauseStore = Pick<PauseRepository, keyof PauseRepository>;

/** Mail that is accepted and kept. */
@Injectable()
export class PauseRepository {
  constructor(@InjectRepository(PauseEntity) private readonly pauses: Repository<PauseEntity>) {}

  /**
   * Begins a pause. One that is there already gets the new reason.
   *
   * @throws OutcomeUnknownError when the connection was lost at the commit
   */
  begin({ reason, ...target }: NewPause): Promise<BegunPause> {
    return transactOnce(this.pauses.manager.connection, BEGIN, async (transaction) => {
      const { rows } = await transaction.query<{ isNew: boolean }>(sql.PAUSE, [...keyOf(target), reason]);
      return { kind: 'paused', isNew: rows[0]?.isNew ?? false, inForceIn: UNPAUSED_HOLDS };
    });
  }

  /**
   * Ends a pause. Its emails are due in the same commit, so that none is left behind if the process dies. Without such a
   * pause nothing changes.
   *
   * @param limit of the returned emails; a sweep finds the others
   * @throws OutcomeUnknownError when the connection was lost at the commit
   */
  end(target: PauseTarget, limit: number): Promise<EndedPause> {
    return transactOnce(this.pauses.manager.connection, BEGIN, async (transaction) => {
      const [scope, subject, transport] = keyOf(target);
      const { rows: ended } = await transaction.query(sql.END_PAUSE, [scope, subject, transport]);
      if (ended.length === 0) return { kind: 'released', hasEnded: false, emails: [] };
      const release = (statement: string) => transaction.query<ReleasedEmail>(statement, [scope, subject, limit]);
      const { rows: kept } = await release(sql.RELEASE_PAUSED);
      const { rows: waiting } = transport === '' ? { rows: [] } : await release(sql.RELEASE_WAITING);
      return { kind: 'released', hasEnded: true, emails: [...kept, ...waiting] };
    });
  }

  /** The mail that would leave if this pause ended. */
  async mail(target: PauseTarget): Promise<PausedMail> {
    const rows: (PausedMail['accounts'][number] & { total: number })[] = await this.pauses.query(sql.PAUSED_MAIL, [
      ...keyOf(target),
      MOST_COUNTED,
      MOST_ACCOUNTS,
    ]);
    return { count: rows[0]?.total ?? 0, accounts: rows.map(({ accountId, count }) => ({ accountId, count })) };
  }

  /** The oldest first. */
  async list(): Promise<Pause[]> {
    const order = { since: 'ASC', scope: 'ASC', subject: 'ASC', transport: 'ASC' } as const;
    return (await this.pauses.find({ order })).map(toPause);
  }
}

function keyOf({ account, topic, template, transport = '' }: PauseTarget): [string, string, string] {
  if (account !== undefined) return ['account', account, transport];
  if (topic !== undefined) return ['topic', topic, transport];
  if (template !== undefined) return ['template', template, transport];
  return ['all', '', transport];
}

function toPause({ scope, subject, transport, since, reason }: PauseEntity): Pause {
  return { ...(scope !== 'all' && { [scope]: subject }), ...(transport !== '' && { transport }), since, reason };
}
