import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../../shared/errors/api-error.js';
import type { DerivedKey, DerivedKeys, SecretKeys } from '../../../shared/keys/secret-keys.js';
import { accountMark, type LinkKind, type LinkTarget, readToken, writeToken } from './link-token.js';

/** Base address of links, without a slash at its end. Undefined in a process that does not know it. */
export type PublicAddress = () => string | undefined;

/** The thing that a link opens. */
export interface LinkWanted {
  kind: LinkKind;
  accountId: string;
  emailId: string;
  /** Position of an attachment in the email. Default: 0. */
  position?: number;
}

/** An accepted link: signed with our secret, and not expired. */
export interface Link extends LinkTarget {
  /** True if it was made for this account. */
  isOf(accountId: string): boolean;
}

/** Paths of links below the address. */
export const LINK_ROUTE = '/files/:kid/:token';
const PATH = '/files';

/**
 * Signed, expiring links: `{address}/files/{key id}/{token}`. Links are not stored: every process with the secret makes
 * and reads them, and a link ends when it expires, or with its target.
 */
export class Links {
  private readonly keys: DerivedKeys;
  /** Checks links with an unknown key, so that they take as long as others. */
  private readonly nobodys = randomBytes(32);

  /** @param lifetime default lifetime of a link, in milliseconds */
  constructor(
    secrets: SecretKeys,
    private readonly address: PublicAddress,
    readonly lifetime: number,
  ) {
    this.keys = secrets.for('files v1');
  }

  /**
   * Expiry of a link that is made now. Milliseconds since 1970.
   *
   * @throws ApiError 422 where this process cannot make links
   */
  expiry(lifetime = this.lifetime): number {
    this.key();
    this.base();
    return Date.now() + lifetime;
  }

  /**
   * @param expiresAt from `expiry`
   * @throws ApiError 422 where this process cannot make links
   */
  make(wanted: LinkWanted, expiresAt: number): string {
    return this.base() + this.path(wanted, expiresAt);
  }

  /** The same, below the base address. */
  path({ kind, accountId, emailId, position = 0 }: LinkWanted, expiresAt: number): string {
    const { id, key } = this.key();
    const account = accountMark(key, accountId);
    return `${id}/${writeToken(key, { kind, expiresAt, position, emailId, account })}`;
  }

  /**
   * The base address of links.
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

  /** Undefined for an invalid or expired link. Takes the same time for every input. */
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
