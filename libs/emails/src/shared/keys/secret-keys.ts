import { hkdfSync } from 'node:crypto';

/** What a secret has at least, in characters. */
export const SHORTEST_SECRET = 32;

/** Bytes of a key, and of what it is named by. */
const KEY_LENGTH = 32;
const ID_LENGTH = 9;

/** A key for one purpose. */
export interface DerivedKey {
  /** Tells it from the others and tells nothing of it: 12 characters of `A-Za-z0-9_-`. */
  readonly id: string;
  readonly key: Buffer;
}

/** The keys of one purpose: a new one is put in front of the old, which go on being known. */
export class DerivedKeys {
  private readonly byId: ReadonlyMap<string, DerivedKey>;

  constructor(keys: readonly DerivedKey[]) {
    // Of two of the same secret the first is as good as the second.
    this.byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** The one to sign or encrypt with; undefined where there is no secret. */
  get first(): DerivedKey | undefined {
    return this.byId.values().next().value;
  }

  /** The one in use first. */
  get all(): readonly DerivedKey[] {
    return [...this.byId.values()];
  }

  /** The one with this id, the first or an older one. */
  find(id: string): DerivedKey | undefined {
    return this.byId.get(id);
  }
}

/**
 * The secrets of the host, from which every purpose gets keys of its own (HKDF, RFC 5869): who learns those of one purpose
 * learns nothing of another's. They are the same in every process that is given the same secrets.
 */
export class SecretKeys {
  /** @param secrets the first is the one in use; the others are still known */
  constructor(private readonly secrets: readonly string[]) {}

  /**
   * The keys of one purpose.
   *
   * @param purpose one that no other use has, such as `files v1`
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
