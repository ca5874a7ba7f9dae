import { resolve } from 'node:path';
import { EnvironmentReader } from './environment-reader.js';
import { ENVIRONMENT_ROWS, type ReadEnvironment } from './environment-table.js';
import type { Settings } from './settings.js';

/**
 * Reads the settings from the environment. Unset and empty mean the same.
 *
 * @throws SettingsError naming every invalid variable and a valid value.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const reader = new EnvironmentReader(environment);
  const read = Object.fromEntries(
    ENVIRONMENT_ROWS.map(([name, row]) => [row.setting, reader.read(name, row) ?? row.default]),
  ) as ReadEnvironment;

  if (read.role !== 'all' && !environment.DATABASE_URL) {
    reader.problem(
      `DATABASE_URL is missing: ROLE=${read.role} shares its database with other processes, so it needs a URL such as ` +
        'postgres://user:password@host:5432/database.',
    );
  }

  if (environment.DIRECT_DATABASE_URL && !environment.DATABASE_URL) {
    reader.problem('DATABASE_URL is missing: DIRECT_DATABASE_URL is the same database without a pooler.');
  }

  if (read.bounceSmtpPort !== undefined && read.bounceDomain === undefined && read.feedbackAddresses.length === 0) {
    reader.problem(
      'BOUNCE_DOMAIN is missing: BOUNCE_SMTP_PORT accepts reports to its addresses, or to FEEDBACK_ADDRESSES.',
    );
  }
  if (read.bounceDomain !== undefined && read.databaseUrl !== undefined && read.secretKeys === undefined) {
    reader.problem('SECRET_KEY is missing: it signs the return paths at BOUNCE_DOMAIN, the same in every process.');
  }
  if (read.bounceHost !== undefined && read.spfMechanisms === undefined) {
    reader.problem(
      'SPF_MECHANISMS is missing: the return paths that lead to BOUNCE_HOST need an SPF record, such as ip4:192.0.2.1.',
    );
  }
  if (read.bounceHost !== undefined && read.smtpUrls !== undefined && read.bounceDomain === undefined) {
    reader.problem(
      'BOUNCE_DOMAIN is missing: without it mail has no return path that leads to BOUNCE_HOST, and the records of a domain for it do nothing.',
    );
  }
  const servers = read.smtpUrls?.length ?? 1;
  if (read.smtpHops !== undefined && read.smtpHops.length > 1 && read.smtpHops.length !== servers) {
    reader.problem(
      `SMTP_HOP must be one value for all servers at SMTP_URL, or ${servers}: it has ${read.smtpHops.length}.`,
    );
  }
  if (read.bounceHost === undefined && read.spfMechanisms !== undefined) {
    reader.problem('BOUNCE_HOST is missing: SPF_MECHANISMS is for the return paths that lead to it.');
  }
  if (read.alarmWebhookUrl !== undefined && read.alarmWebhookSecret === undefined) {
    reader.problem('ALARM_WEBHOOK_SECRET is missing: it signs the alarms to ALARM_WEBHOOK_URL.');
  }

  reader.finish();
  return {
    ...read,
    directDatabaseUrl: read.directDatabaseUrl ?? read.databaseUrl,
    smtpHops: hopsOf(read),
    dataDir: resolve(read.dataDir),
    dashboardPath: read.dashboardPath === 'off' ? undefined : read.dashboardPath,
  };
}

function hopsOf({ smtpUrls, smtpHops }: ReadEnvironment): Settings['smtpHops'] {
  const [first, ...others] = smtpHops ?? [smtpUrls === undefined ? 'final' : 'relay'];
  if (first === undefined || others.length > 0) return smtpHops ?? [];
  return Array.from(smtpUrls ?? [undefined], () => first);
}
