import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { importPeer } from '../../shared/features/import-peer.js';

type Parser = typeof import('tldts');

/** Names below which strangers register theirs count too, such as `github.io`. */
const OPTIONS = { allowPrivateDomains: true, validateHostname: false };

/**
 * The list of public suffixes (publicsuffix.org), out of the package `tldts`: an optional peer, because the list has 200 kB,
 * changes weekly, and is of no use without domains.
 */
@Injectable()
export class PublicSuffixes implements OnModuleInit {
  private list: Parser | undefined;

  async onModuleInit(): Promise<void> {
    this.list = await importPeer('tldts', 'Feature domains', () => import('tldts'));
  }

  /** @throws ApiError 422 for a name that many registrants share: `com`, `co.uk`, `github.io` */
  refuse(name: string): void {
    if (this.parse(name).domain !== null) return;
    throw ApiError.invalid('`name` must be a domain of yours, and this is one below which everybody can register.');
  }

  /** The registered domain of a name: `example.co.uk` of `mail.example.co.uk`. */
  registered(name: string): string {
    return this.parse(name).domain ?? name;
  }

  private parse(name: string) {
    if (!this.list) throw new Error('The list of public suffixes is not loaded.');
    return this.list.parse(name, OPTIONS);
  }
}
