import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { BounceKind } from '../states/bounce.js';
import type { EmailEventType } from '../states/email-states.js';
import type { RecipientState } from '../states/recipient-state.js';
import * as sql from './timeline.sql.js';

/** What has to be known of an email to follow it. */
export interface FollowedEmail {
  /** Whether one of its events says that its topic kept a recipient back. */
  hasOptOut: boolean;
  /** Of its envelope. */
  addresses: string[];
}

/** An event as it is kept. Timestamps here are `2026-11-21 05:26:01.123456+00`. */
export interface KeptEvent {
  id: string;
  type: EmailEventType;
  recipient: string | null;
  createdAt: string;
  reason: string | null;
  attempt: number | null;
  bounce: BounceKind | null;
}

export interface EventsBounds {
  /** The event before which. */
  after: string | undefined;
  types: readonly string[] | undefined;
  /** Envelope addresses. */
  recipients: readonly string[] | undefined;
  limit: number;
}

/** What is kept of an email's recipients. */
export interface RecipientsRow {
  to: string[];
  cc: string[];
  bcc: string[];
  recipients: RecipientState[];
  lastEvent: EmailEventType;
  /** When a worker looks at it next; null when nothing is owed, and during an attempt. */
  nextAttemptAt: string | null;
  /** Whether retention has deleted its events, and with them its attempts. */
  forgotten: boolean;
  /** `endedBy`: the fence of the attempt after which there was nothing left to try. */
  tried: { address: string; attempts: number; lastAttemptAt: string; endedBy: number | null }[];
  /** Attempts whose end nobody saw. */
  lost: { fence: number; startedAt: string }[];
  /** The last event of each. */
  latest: { address: string; type: EmailEventType; reason: string | null }[];
}

/** What `TimelineRepository` does, for tests that keep emails elsewhere. */
export type TimelineStore = Pick<TimelineRepository, keyof TimelineRepository>;

/** What happened to emails. */
@Injectable()
export class TimelineRepository {
  constructor(private readonly dataSource: DataSource) {}

  async followed(accountId: string, id: string): Promise<FollowedEmail | undefined> {
    const rows: FollowedEmail[] = await this.dataSource.query(sql.FOLLOWED, [accountId, id]);
    return rows[0];
  }

  /** Whether an email has this event. */
  async isEvent(emailId: string, eventId: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(sql.IS_EVENT, [emailId, eventId]);
    return rows.length > 0;
  }

  /** Newest first. */
  events(emailId: string, { after, types, recipients, limit }: EventsBounds): Promise<KeptEvent[]> {
    return this.dataSource.query(sql.EVENTS, [emailId, after ?? null, types ?? null, recipients ?? null, limit]);
  }

  async recipients(accountId: string, id: string): Promise<RecipientsRow | undefined> {
    const rows: RecipientsRow[] = await this.dataSource.query(sql.RECIPIENTS, [accountId, id]);
    return rows[0];
  }
}
