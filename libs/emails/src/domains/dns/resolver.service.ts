import { Resolver } from 'node:dns/promises';
import { inTime } from '../../shared/work/in-time.js';
import { DomainNameService, type MxRecord } from './domain-name-service.js';
import { LookupError } from './lookup.error.js';

/** First timeout of a query, which doubles with each further try. Milliseconds. */
const TIMEOUT = 2_000;
const TRIES = 2;
/** Limit of one lookup, whatever the number of servers: c-ares asks each of them. Milliseconds. */
const LONGEST = 10_000;
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA']);

export interface ResolverOptions {
  /** IP addresses, with a port if it is not 53: `127.0.0.1:5353`, `[::1]:5353`. Default: those of the system. */
  servers?: readonly string[] | undefined;
  /** Milliseconds. Default: 2,000. */
  timeout?: number;
}

/** Lookups by c-ares, which need no thread of the pool and read answers of any size that TCP carries (64 kB). */
export class ResolverService extends DomainNameService {
  private readonly servers: readonly string[] | undefined;
  private readonly timeout: number;
  private resolver: Resolver | undefined;

  constructor({ servers, timeout = TIMEOUT }: ResolverOptions = {}) {
    super();
    this.servers = servers?.length ? servers : undefined;
    this.timeout = timeout;
  }

  txt(name: string): Promise<string[][]> {
    return this.ask((resolver) => resolver.resolveTxt(name));
  }

  mx(name: string): Promise<MxRecord[]> {
    return this.ask((resolver) => resolver.resolveMx(name));
  }

  cname(name: string): Promise<string[]> {
    return this.ask((resolver) => resolver.resolveCname(name));
  }

  /** Made by the first lookup, so that a host without domains has none. */
  private opened(): Resolver {
    if (!this.resolver) {
      this.resolver = new Resolver({ timeout: this.timeout, tries: TRIES });
      if (this.servers) this.resolver.setServers(this.servers);
    }
    return this.resolver;
  }

  private async ask<T>(lookUp: (resolver: Resolver) => Promise<T[]>): Promise<T[]> {
    try {
      return await inTime(lookUp(this.opened()), LONGEST, () => {
        throw new LookupError('ETIMEOUT');
      });
    } catch (error) {
      if (error instanceof LookupError) throw error;
      const code = String((error as { code?: unknown } | null)?.code ?? 'EUNKNOWN');
      if (NOT_THERE.has(code)) return [];
      throw new LookupError(code, { cause: error });
    }
  }
}
