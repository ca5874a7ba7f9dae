import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SealedKeys } from './sealed-keys.js';

/** Reports keys at the start that can no longer be opened. */
@Injectable()
export class KeysCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Domains');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SealedKeys) private readonly keys: Pick<SealedKeys, 'knows'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const count = await this.unreadable();
    if (count === 0) return;
    this.logger.error(
      `${count} DKIM keys of domains cannot be opened: the key that they are encrypted with is not among \`secretKeys\` ` +
        '(`SECRET_KEY`). Emails of these domains wait until it is there again, or until the keys are rotated.',
    );
  }

  /** Number of keys in use that this process cannot open. */
  async unreadable(): Promise<number> {
    const counts: { keyId: string; count: string }[] = await this.dataSource.query(
      'SELECT key_id AS "keyId", count(*) FROM nestjs_emails.domain_keys WHERE retired_at IS NULL GROUP BY key_id',
    );
    return counts.filter(({ keyId }) => !this.keys.knows(keyId)).reduce((sum, { count }) => sum + Number(count), 0);
  }
}
