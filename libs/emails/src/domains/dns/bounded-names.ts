import { DomainNameService, type MxRecord } from './domain-name-service.js';
import { LookupError } from './lookup.error.js';

/** Lookups that end with a signal, whatever the server does. */
export class BoundedNames extends DomainNameService {
  private readonly ended: Promise<never>;

  constructor(
    private readonly names: DomainNameService,
    private readonly signal: AbortSignal,
  ) {
    super();
    this.ended = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new LookupError('ETIMEOUT')), { once: true });
    });
    this.ended.catch(() => {});
  }

  txt(name: string): Promise<readonly (readonly string[])[]> {
    return this.bounded(() => this.names.txt(name));
  }

  mx(name: string): Promise<readonly MxRecord[]> {
    return this.bounded(() => this.names.mx(name));
  }

  cname(name: string): Promise<readonly string[]> {
    return this.bounded(() => this.names.cname(name));
  }

  private async bounded<T>(lookUp: () => Promise<T>): Promise<T> {
    if (this.signal.aborted) throw new LookupError('ETIMEOUT');
    return Promise.race([lookUp(), this.ended]);
  }
}
