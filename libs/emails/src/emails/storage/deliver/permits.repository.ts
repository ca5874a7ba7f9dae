import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { TransportPermitsEntity } from '../entities/transport-permits.entity.js';
import * as sql from './permits.sql.js';

/** Limits of a transport. Undefined: none. */
export interface PermitLimits {
  perSecond?: number | undefined;
  /** In UTC. */
  perDay?: number | undefined;
}

/** Granted permits. */
export interface GrantedPermits {
  granted: number;
  /** Until the first of them, or until another try if there is none. Milliseconds. */
  wait: number;
}

/** Permits that were taken on a day and not used. */
export interface UnusedPermits {
  /** In UTC. Empty: none. */
  day: string;
  count: number;
}

/** The methods of `PermitsRepository`, for tests with another storage. */
export type PermitsStore = Pick<PermitsRepository, 'take'>;

/** Counts what transports with limits are given, by all processes together. */
@Injectable()
export class PermitsRepository {
  constructor(@InjectRepository(TransportPermitsEntity) private readonly permits: Repository<TransportPermitsEntity>) {}

  /**
   * Takes up to `wanted` permits of the next `ahead` milliseconds.
   *
   * @param isOne true if they are for one message: all or none
   * @param unused returned to their day
   */
  async take(
    transport: string,
    wanted: number,
    { perSecond = null, perDay = null }: { [K in keyof PermitLimits]: PermitLimits[K] | null },
    ahead: number,
    isOne: boolean,
    unused: UnusedPermits,
  ): Promise<GrantedPermits> {
    const values = [transport, wanted, perSecond, perDay, ahead, isOne, unused.count, unused.day || null];
    const [row]: GrantedPermits[] = await this.permits.query(sql.TAKE, values);
    if (row) return row;
    await this.permits.query(sql.BEGIN, [transport]);
    return this.take(transport, wanted, { perSecond, perDay }, ahead, isOne, unused);
  }

  /** Permits of today, in UTC, by transport. */
  async used(transports: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows: { transport: string; used: number }[] = await this.permits.query(sql.USED, [transports]);
    return new Map(rows.map(({ transport, used }) => [transport, used]));
  }
}
