import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import type { BounceKind } from '../../../shared/replies/bounce.js';
import { onMaster } from '../../../shared/rows/on-master.js';
import type { EmailEventType, RecordedEventType } from '../../states/email-states.js';
import type { RecipientState } from '../../states/recipient-state.js';
import type { ReportSource } from '../../states/report-sources.js';
import { EventEntity } from '../entities/event.entity.js';
import * as sql from './timeline.sql.js';

/** The data of an email that its timeline needs. */
export interface FollowedEmail {
  /** Addresses of its envelope. */
  addresses: string[];
}

/** A recipient of an email, in its current state. */
export interface RecipientOfTopic {
  accountId: string;
  /** Null: the email has no topic. */
  topicId: string | null;
  /** Null: it has no such recipient, or the person was erased. */
  address: string | null;
}

/** A stored event. Timestamps here look like `2026-11-21 05:26:01.123456+00`. */
export interface KeptEvent {
  id: string;
  type: RecordedEventType;
  recipient: string | null;
  createdAt: string;
  /** Text of a server or a policy: see `reasonText`. */
  reason: string | null;
  reasonCode: string | null;
  attempt: number | null;
  source: ReportSource | null;
  bounce: BounceKind | null;
  /** Name of the transport of its attempt. */
  transport: string | null;
}

export interface EventsBounds {
  /** The event before which to start. */
  after: string | undefined;
  types: readonly string[] | undefined;
  /** Envelope addresses. */
  recipients: readonly string[] | undefined;
  limit: number;
}

/** Stored data about an email's recipients. */
export interface RecipientsRow {
  to: string[];
  cc: string[];
  bcc: string[];
  recipients: RecipientState[];
  lastEvent: EmailEventType;
  /** When a worker looks at it next; null when nothing is pending, and during an attempt. */
  nextAttemptAt: string | null;
  /** True if retention has deleted its events, and with them its attempts. */
  forgotten: boolean;
  /** `endedBy`: the fence of the attempt after which the recipient was not pending any more. */
  tried: { address: string; attempts: number; lastAttemptAt: string; endedBy: number | null }[];
  /** Attempts whose end is unknown. `message`: 0, or the place of its only recipient, from 1. */
  lost: { fence: number; message: number; startedAt: string }[];
  /** By address: when a recipient is tried next that has a time of its own. */
  retries: Readonly<Record<string, string>>;
  /** The last event of each recipient. */
  latest: ({ address: string } & Pick<KeptEvent, 'type' | 'reason' | 'reasonCode' | 'source'>)[];
}

/** The methods of `TimelineRepository`, for tests with another storage. */
export type TimelineStore = Pick<TimelineRepository, keyof TimelineRepository>;

/** The history of emails. */
@Injectable()
export class TimelineRepository {
  constructor(@InjectRepository(EventEntity) private readonly history: Repository<EventEntity>) {}

  async followed(accountId: string, id: string): Promise<FollowedEmail | undefined> {
    const rows: FollowedEmail[] = await this.history.query(sql.FOLLOWED, [accountId, id]);
    return rows[0];
  }

  /** @param index among the recipients of the email. Undefined: there is no such email */
  async topicRecipient(emailId: string, index: number): Promise<RecipientOfTopic | undefined> {
    const values = [emailId, index, ERASED_ADDRESS];
    const rows = await onMaster(this.history.manager.connection, (manager) =>
      manager.query<RecipientOfTopic[]>(sql.RECIPIENT, values),
    );
    return rows[0];
  }

  /** True if an email has this event. */
  isEvent(emailId: string, eventId: string): Promise<boolean> {
    return onMaster(this.history.manager.connection, (manager) =>
      manager.getRepository(EventEntity).existsBy({ id: eventId, emailId }),
    );
  }

  /** Newest first. */
  events(emailId: string, { after, types, recipients, limit }: EventsBounds): Promise<KeptEvent[]> {
    return this.history.query(sql.EVENTS, [emailId, after ?? null, types ?? null, recipients ?? null, limit]);
  }

  async recipients(accountId: string, id: string): Promise<RecipientsRow | undefined> {
    const rows: RecipientsRow[] = await this.history.query(sql.RECIPIENTS, [accountId, id]);
    return rows[0];
  }
}
