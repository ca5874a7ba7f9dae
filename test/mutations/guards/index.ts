import type { Threat } from '../guard.js';
import { accounts } from './accounts.js';
import { addresses } from './addresses.js';
import { alarms } from './alarms.js';
import { answers } from './answers.js';
import { domains } from './domains.js';
import { fetches } from './fetches.js';
import { inboxSignatures } from './inbox-signatures.js';
import { leases } from './leases.js';
import { lines } from './lines.js';
import { links } from './links.js';
import { logs } from './logs.js';
import { operators } from './operators.js';
import { reports } from './reports.js';
import { requests } from './requests.js';
import { roles } from './roles.js';
import { sensitive } from './sensitive.js';
import { shown } from './shown.js';
import { signing } from './signing.js';
import { staging } from './staging.js';
import { tokens } from './tokens.js';
import { unsubscribes } from './unsubscribes.js';
import { visitors } from './visitors.js';

/** The guards that SECURITY.md lists, in its order. */
export const threats: readonly Threat[] = [
  requests,
  lines,
  addresses,
  fetches,
  accounts,
  tokens,
  visitors,
  roles,
  sensitive,
  links,
  unsubscribes,
  operators,
  reports,
  domains,
  alarms,
  logs,
  answers,
  shown,
  signing,
  inboxSignatures,
  staging,
  leases,
];
