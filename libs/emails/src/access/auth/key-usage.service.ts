import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlState } from '../../shared/errors/database-errors.js';
import { SCHEMA } from '../../shared/rows/schema.js';

/** `last_used_at` is exact to a minute. */
const INTERVAL = 60_000;

/** Cache size: more keys than this in use within a minute cost a few more writes. */
const CAPACITY = 10_000;

/** Records when keys are used, outside of the requests that use them. */
@Injectable()
export class KeyUsageService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyUsageService.name);
  private readonly noted = new Map<string, number>();
  private readonly writes = new Set<Promise<void>>();

  constructor(private readonly dataSource: DataSource) {}

  /** Never fails and never waits. */
  note(keyId: string): void {
    const now = performance.now();
    const last = this.noted.get(keyId);
    if (last !== undefined && now - last < INTERVAL) {
      return;
    }
    if (this.noted.size >= CAPACITY) {
      this.noted.clear();
    }
    this.noted.set(keyId, now);
    const write = this.write(keyId).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writes);
  }

  /** The condition lets only one of several processes write the same minute. */
  private async write(keyId: string): Promise<void> {
    try {
      await this.dataSource.query(
        `UPDATE ${SCHEMA}.api_keys SET last_used_at = now()
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        [keyId],
      );
    } catch (error) {
      this.noted.delete(keyId);
      this.logger.debug(
        `The use of a key was not written down (${(error instanceof Error && sqlState(error)) || 'no code'}).`,
      );
    }
  }
}
