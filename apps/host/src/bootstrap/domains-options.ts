import type { DomainsOptions } from 'nestjs-emails/domains';
import type { Settings } from '../config/settings.js';
import type { Infrastructure } from './infrastructure.js';

/** Options of domains: those of the settings, and a key for mail to the local inbox. */
export function domainsOptions(
  { bounceHost, spfMechanisms, dnsServers }: Settings,
  { developmentKey }: Pick<Infrastructure, 'developmentKey'>,
): DomainsOptions {
  return {
    ...(bounceHost !== undefined && { bounceHost }),
    ...(spfMechanisms && { spfMechanisms }),
    ...(dnsServers && { dnsServers }),
    ...(developmentKey && { developmentKey }),
  };
}
