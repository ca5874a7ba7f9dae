import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import type { SealedSecret } from '../secrets/sealed-secrets.js';
import { LOCK_MESSAGES, PAYLOADS } from './messages.sql.js';

/** What a request is to carry, and where it leads. */
export interface MessageKey {
  webhookId: string;
  fence: number;
  endpoint: string;
  seq: string;
  replay: boolean;
}

/** What it carries: the body, and what that is signed with. */
export interface StoredMessage {
  payload: string;
  secrets: SealedSecret[];
}

/** A request that is to carry a message. */
export interface MessageRequest extends MessageKey {
  /** Called at most once, with what is sent before the next turn of the event loop. Must not throw. */
  send: (message: StoredMessage) => void;
}

/** Without secrets: there is nothing to be sent now. */
interface LockedRow {
  secrets: SealedSecret[] | null;
  isLocked: boolean;
}

/** Payloads and secrets, read when they are sent. */
@Injectable()
export class WebhookMessages {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Gives requests what they are to carry, while the rows that say so are locked: nothing leaves once the answer to a change,
   * a deletion or an erasure is under way. Answers of each, in order: `lost` where there is nothing to be sent to that
   * endpoint any more.
   */
  async send(requests: readonly MessageRequest[]): Promise<LeaseWrite[]> {
    let written: LeaseWrite[] | undefined;
    const keys = requests.map(({ send: _, ...key }, place) => ({ place, ...key }));
    try {
      await this.dataSource.transaction('READ COMMITTED', async (manager) => {
        const rows: LockedRow[] = await manager.query(LOCK_MESSAGES, [JSON.stringify(keys)]);
        const payloads = await this.payloads(
          manager,
          requests.filter((_, place) => rows[place]?.secrets),
        );
        written = requests.map((request, place) => give(request, rows[place], payloads.get(request)));
        await setImmediate();
      });
    } catch (error) {
      // What was sent cannot be sent again for want of a commit.
      if (!written) throw error;
    }
    return written ?? [];
  }

  /** By a statement of its own, which sees what was committed before the rows were locked. */
  private async payloads(manager: EntityManager, found: readonly MessageRequest[]): Promise<Map<MessageKey, string>> {
    if (found.length === 0) return new Map();
    const values = [found.map(({ webhookId }) => webhookId), found.map(({ seq }) => seq)];
    const rows: { payload: string }[] = await manager.query(PAYLOADS, values);
    return new Map(found.flatMap((request, at) => (rows[at] ? [[request, rows[at].payload]] : [])));
  }
}

function give({ send }: MessageRequest, row: LockedRow | undefined, payload: string | undefined): LeaseWrite {
  if (!row?.secrets || payload === undefined) return row?.isLocked ? 'locked' : 'lost';
  send({ payload, secrets: row.secrets });
  return 'done';
}
