import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../../shared/errors/api-error.js';
import type { DerivedKey, DerivedKeys, SecretKeys } from '../../../shared/keys/secret-keys.js';
import { accountMark, type LinkKind, type LinkTarget, readToken, writeToken } from './link-token.js';

/** Where links lead: without a slash at its end. Undefined where this process does not know it. */
export type PublicAddress = () => string | undefined;

/** What a link is to open. */
export interface LinkWanted {
  kind: LinkKind;
  accountId: string;
  emailId: string;
  /** Of an attachment in the email. Default: 0. */
  position?: number;
}

/** A link that somebody came with: signed by us, and not too old. */
export interface Link extends LinkTarget {
  /** Whether it was made for this account. */
  isOf(accountId: string): boolean;
}

/** What links lead to, below the address. */
export const LINK_ROUTE = '/files/:kid/:token';
const PATH = '/files';

/**
 * Signed, expiring links: `{address}/files/{key id}/{token}`. Nothing is kept of them: whoever has the secret makes and
 * reads them, in any process, and a link ends at its time, or with what it leads to.
 */
export class Links {
  private readonly keys: DerivedKeys;
  /** For links of which the key is not known, to take as long over them. */
  private readonly nobodys = randomBytes(32);

  /** @param lifetime milliseconds of a link that nobody says another of */
  constructor(
    secrets: SecretKeys,
    private readonly address: PublicAddress,
    readonly lifetime: number,
  ) {
    this.keys = secrets.for('files v1');
  }

  /**
   * When a link ends that is made now. Milliseconds since 1970.
   *
   * @throws ApiError 422 where this process can make none
   */
  expiry(lifetime = this.lifetime): number {
    this.key();
    this.base();
    return Date.now() + lifetime;
  }

  /**
   * @param expiresAt from `expiry`
   * @throws ApiError 422 where this process can make none
   */
  make(wanted: LinkWanted, expiresAt: number): string {
    return this.base() + this.path(wanted, expiresAt);
  }

  /** The same, below where all links begin. */
  path({ kind, accountId, emailId, position = 0 }: LinkWanted, expiresAt: number): string {
    const { id, key } = this.key();
    const account = accountMark(key, accountId);
    return `${id}/${writeToken(key, { kind, expiresAt, position, emailId, account })}`;
  }

  /**
   * Where all links begin.
   *
   * @throws ApiError 422 where this process does not know it
   */
  base(): string {
    const address = this.address();
    if (address !== undefined) return `${address}${PATH}/`;
    throw ApiError.invalid(
      'This server makes no links: it does not know its own address. Its operator sets `publicUrl` (`PUBLIC_URL`).',
    );
  }

  /** Undefined for whatever is no link of ours, or too old; found out in the same time. */
  read(keyId: string, token: string): Link | undefined {
    const found = this.keys.find(keyId);
    const key = found?.key ?? this.nobodys;
    const target = readToken(key, token);
    if (!found || !target || target.expiresAt <= Date.now()) return undefined;
    return { ...target, isOf: (accountId) => timingSafeEqual(accountMark(key, accountId), target.account) };
  }

  private key(): DerivedKey {
    if (this.keys.first) return this.keys.first;
    throw ApiError.invalid(
      'This server makes no links: it has no secret key. Its operator sets `secretKeys` (`SECRET_KEY`).',
    );
  }
}
