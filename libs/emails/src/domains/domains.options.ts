import type { SendingOptions } from './sending.options.js';
import type { SigningKey } from './signing/signing-keys.js';

/** Options of `domains`. */
export interface DomainsOptions extends SendingOptions {
  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. Keys derived from them encrypt
   * the private keys of the domains: the first encrypts, all decrypt, so a new secret goes in front of the old. Default:
   * the core's secrets; without any, no domain can be created.
   */
  secretKeys?: readonly string[];

  /**
   * Host that takes bounces: the value of the MX record of the return paths (`send.example.com`). With it, a domain needs two
   * records for its return path, and `spfMechanisms` is required. Default: none; the return path is a relay's.
   */
  bounceHost?: string;

  /** SPF mechanisms of the servers that send for the domains, such as `include:spf.example.net` or `ip4:192.0.2.1`. */
  spfMechanisms?: readonly string[];

  /**
   * `relay`: the relay behind the transport signs all mail. No key is made, and a domain needs a TXT record alone, which
   * proves that the account controls it. Default: domains have keys of their own.
   */
  dkim?: 'relay';

  /** Servers that records are looked up at: IP addresses, with a port if it is not 53. Default: those of the system. */
  dnsServers?: readonly string[];

  /**
   * Signs mail of development: from `example.com` and `*.test`, of accounts without domains. Default: such mail is not
   * signed.
   */
  developmentKey?: SigningKey;
}
