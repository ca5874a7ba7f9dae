import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { MetricsGauge, MetricsSource } from '../../index.js';
import { KeysCheck } from '../keys/keys-check.js';
import { DOMAIN_STATUSES } from '../storage/domain-status.js';

const COUNT = `
SELECT status, count(*)::int AS count, count(missing_since)::int AS missing FROM nestjs_emails.domains GROUP BY status`;

/** How many domains there are in each status, and what is wrong with them. */
@Injectable()
export class DomainMetrics implements MetricsSource {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(KeysCheck) private readonly keys: Pick<KeysCheck, 'unreadable'>,
  ) {}

  async gauges(): Promise<MetricsGauge[]> {
    const rows: { status: string; count: number; missing: number }[] = await this.dataSource.query(COUNT);
    const ofStatus = DOMAIN_STATUSES.map((status) => ({
      name: `domains_${status}`,
      help: `Domains with the status ${status}.`,
      value: rows.find((row) => row.status === status)?.count ?? 0,
    }));
    return [
      ...ofStatus,
      {
        name: 'domains_missing_records',
        help: 'Domains that were verified and lack a DNS record now.',
        value: rows.reduce((sum, { missing }) => sum + missing, 0),
      },
      {
        name: 'domain_keys_unreadable',
        help: 'DKIM keys that cannot be opened with the secrets of this process.',
        value: await this.keys.unreadable(),
      },
    ];
  }
}
