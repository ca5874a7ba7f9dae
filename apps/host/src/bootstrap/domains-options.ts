import type { DomainsOptions } from 'nestjs-emails/domains';
import { ALARM_ACCOUNT } from '../config/alarm-account.js';
import { hooksOptions } from '../config/hooks-options.js';
import type { Settings } from '../config/settings.js';
import type { Infrastructure } from './infrastructure.js';

/** Options of domains: those of the settings, and a key for mail to the local inbox. */
export function domainsOptions(
  settings: Settings,
  { developmentKey }: Pick<Infrastructure, 'developmentKey'>,
): DomainsOptions {
  const { bounceHost, spfMechanisms, dnsServers, fromDomains, dkim, feedbackId } = settings;
  const { relay } = hooksOptions(settings);
  return {
    from: fromDomains,
    exemptAccounts: [ALARM_ACCOUNT],
    ...(dkim === 'relay' && { dkim }),
    ...(relay === 'ses' && { relay }),
    ...(feedbackId !== undefined && { feedbackId }),
    ...(bounceHost !== undefined && { bounceHost }),
    ...(spfMechanisms && { spfMechanisms }),
    ...(dnsServers && { dnsServers }),
    ...(developmentKey && { developmentKey }),
  };
}
