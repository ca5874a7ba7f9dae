import { hkdfSync } from 'node:crypto';

/** Minimum length of a secret, in characters. */
export const SHORTEST_SECRET = 32;

/** Length of a key, and of its id. Bytes. */
const KEY_LENGTH = 32;
const ID_LENGTH = 9;

/** A key for one purpose. */
export interface DerivedKey {
  /** Identifies the key without revealing it: 12 characters of `A-Za-z0-9_-`. */
  readonly id: string;
  readonly key: Buffer;
}

/** The keys of one purpose: a new one goes in front of the old ones, which stay accepted. */
export class DerivedKeys {
  private readonly byId: ReadonlyMap<string, DerivedKey>;

  constructor(keys: readonly DerivedKey[]) {
    // Duplicates of a secret yield the same key.
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** The key to sign or encrypt with; undefined without a secret. */
  get first(): DerivedKey | undefined {
    return this.byId.values().next().value;
  }

  /** The key in use comes first. */
  get all(): readonly DerivedKey[] {
    return [...this.byId.values()];
  }

  /** The key with this id, the first or an older one. */
  find(id: string): DerivedKey | undefined {
    return this.byId.get(id);
  }
}

/**
 * The secrets of the host, from which separate keys for each purpose are derived (HKDF, RFC 5869): the keys of one
 * purpose reveal nothing of another's. They are the same in every process with the same secrets.
 *
 * @example
 * ```ts
 * const key = new SecretKeys(['a secret of 32 characters or more']).for('invoices v1').first;
 * ```
 */
export class SecretKeys {
  /** @param secrets the first is in use; the others are still accepted */
  constructor(private readonly secrets: readonly string[]) {}

  /**
   * The keys of one purpose.
   *
   * @param purpose unique to this use, such as `files v1`
   */
  for(purpose: string): DerivedKeys {
    return new DerivedKeys(
      this.secrets.map((secret) => ({
        id: derive(secret, `${purpose} id`, ID_LENGTH).toString('base64url'),
        key: derive(secret, `${purpose} key`, KEY_LENGTH),
      })),
    );
  }
}

function derive(secret: string, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'nestjs-emails', info, length));
}
