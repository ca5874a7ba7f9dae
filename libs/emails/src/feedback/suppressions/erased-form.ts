import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { openText, sealText } from '../../shared/keys/sealed-text.js';
import { type DerivedKeys, SecretKeys } from '../../shared/keys/secret-keys.js';
import { onMaster } from '../../shared/rows/on-master.js';
import { SCHEMA } from '../../shared/rows/schema.js';

/** Length of the key. Bytes. */
const KEY = 32;
const PLACE = 'suppression_keys';

interface StoredKey {
  keyId: string;
  sealed: string;
}

/**
 * The form in which the list keeps the address of an erased person: HMAC-SHA256 of its `addressKey`, base64url, under a
 * key that is made at the first start and stored encrypted. An address leads to its form, and nothing leads back.
 */
@Injectable()
export class ErasedForm implements OnApplicationBootstrap {
  private readonly logger = new Logger(ErasedForm.name);
  private readonly keys: DerivedKeys;
  private loaded: Promise<Buffer | undefined> | undefined;

  /** @internal Made by `feedback()`. */
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SecretKeys) secrets: SecretKeys,
  ) {
    this.keys = secrets.for('suppressions v1');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.key();
  }

  /** The forms of addresses, in their order; none without a secret. @param addressKeys results of `addressKey` */
  async of(addressKeys: readonly string[]): Promise<string[]> {
    const key = await this.key();
    if (!key) return [];
    return addressKeys.map((address) => createHmac('sha256', key).update(address).digest('base64url'));
  }

  /** Loaded once. After a failure it is loaded again. */
  private key(): Promise<Buffer | undefined> {
    this.loaded ??= this.load().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  private async load(): Promise<Buffer | undefined> {
    const first = this.keys.first;
    if (!first) return undefined;
    const fresh = sealText(first, PLACE, randomBytes(KEY).toString('base64'));
    const stored = await onMaster(this.dataSource, async (manager) => {
      const read = async (): Promise<StoredKey | undefined> =>
        (await manager.query(`SELECT key_id AS "keyId", sealed FROM ${SCHEMA}.suppression_keys WHERE id = 1`))[0];
      const found = await read();
      if (found) return found;
      await manager.query(
        `INSERT INTO ${SCHEMA}.suppression_keys (id, key_id, sealed) VALUES (1, $1, $2) ON CONFLICT DO NOTHING`,
        [first.id, fresh],
      );
      return read();
    });
    const key = stored && this.open(stored);
    if (!key) {
      this.logger.error(
        'Suppressions of erased people cannot be found: the key of their addresses is encrypted with a secret that is ' +
          'not among `secretKeys` (`SECRET_KEY`). They count again once it is there.',
      );
      return undefined;
    }
    // The old secret may be removed later.
    if (stored.keyId !== first.id) {
      await this.dataSource.query(
        `UPDATE ${SCHEMA}.suppression_keys SET key_id = $1, sealed = $2 WHERE id = 1 AND key_id = $3`,
        [first.id, sealText(first, PLACE, key.toString('base64')), stored.keyId],
      );
    }
    return key;
  }

  private open({ keyId, sealed }: StoredKey): Buffer | undefined {
    const key = this.keys.find(keyId);
    if (!key) return undefined;
    try {
      return Buffer.from(openText(key, PLACE, sealed), 'base64');
    } catch {
      return undefined;
    }
  }
}
