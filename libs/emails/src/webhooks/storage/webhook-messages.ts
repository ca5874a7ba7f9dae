import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import type { SealedSecret } from '../secrets/sealed-secrets.js';
import { LOCK_MESSAGES, PAYLOADS } from './messages.sql.js';

/** Content of a request, and its URL. */
export interface MessageKey {
  webhookId: string;
  fence: number;
  endpoint: string;
  seq: string;
  replay: boolean;
}

/** The body, and its signature. */
export interface StoredMessage {
  payload: string;
  secrets: SealedSecret[];
}

/** A request that needs its message. */
export interface MessageRequest extends MessageKey {
  /** Called at most once, with the message, which is sent before the next turn of the event loop. Must not throw. */
  send: (message: StoredMessage) => void;
}

/** Without secrets: nothing can be sent now. */
interface LockedRow {
  secrets: SealedSecret[] | null;
  isLocked: boolean;
}

/** Reads payloads and secrets when they are sent. */
@Injectable()
export class WebhookMessages {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Gives requests their messages while the rows are locked: nothing is sent once the answer to a change, a deletion or
   * an erasure has started. One answer for each, in order: `lost` if nothing is left to send to that endpoint.
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
        written = requests.map((request, place) => deliver(request, rows[place], payloads.get(request)));
        await setImmediate();
      });
    } catch (error) {
      // A sent payload must not be sent again because its commit failed.
      if (!written) throw error;
    }
    return written ?? [];
  }

  /** A separate statement, which sees everything committed before the rows were locked. */
  private async payloads(manager: EntityManager, found: readonly MessageRequest[]): Promise<Map<MessageKey, string>> {
    if (found.length === 0) return new Map();
    const values = [found.map(({ webhookId }) => webhookId), found.map(({ seq }) => seq)];
    const rows: { payload: string }[] = await manager.query(PAYLOADS, values);
    return new Map(found.flatMap((request, at) => (rows[at] ? [[request, rows[at].payload]] : [])));
  }
}

function deliver({ send }: MessageRequest, row: LockedRow | undefined, payload: string | undefined): LeaseWrite {
  if (!row?.secrets || payload === undefined) return row?.isLocked ? 'locked' : 'lost';
  send({ payload, secrets: row.secrets });
  return 'done';
}
