import { resolve } from 'node:path';
import { EnvironmentReader } from './environment-reader.js';
import { LOG_LEVELS, ROLES, type Settings, SMTP_HOPS } from './settings.js';
import * as variables from './variables.js';

/**
 * The environment → settings. Unset and empty mean the same.
 *
 * @throws SettingsError naming every variable that is wrong, and what would be right.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const reader = new EnvironmentReader(environment);
  const databaseUrl = reader.read('DATABASE_URL', variables.databaseUrl);
  const smtpUrl = reader.read('SMTP_URL', variables.smtpUrl);
  const role = reader.read('ROLE', variables.oneOf(ROLES)) ?? 'all';

  if (role !== 'all' && !environment.DATABASE_URL) {
    reader.problem(
      `DATABASE_URL is missing: ROLE=${role} shares its database with other processes, so it needs a URL such as ` +
        'postgres://user:password@host:5432/database.',
    );
  }

  if (environment.DIRECT_DATABASE_URL && !environment.DATABASE_URL) {
    reader.problem('DATABASE_URL is missing: DIRECT_DATABASE_URL is the same database past a pooler.');
  }

  const dashboardPath = reader.read('DASHBOARD_PATH', variables.mountPath) ?? '/dashboard';
  const settings: Settings = {
    port: reader.read('PORT', variables.port) ?? 3000,
    host: reader.read('HOST', variables.hostName) ?? '127.0.0.1',
    databaseUrl,
    directDatabaseUrl: reader.read('DIRECT_DATABASE_URL', variables.databaseUrl) ?? databaseUrl,
    redisUrls: reader.read('REDIS_URL', variables.redisUrls),
    smtpUrl,
    smtpHop: reader.read('SMTP_HOP', variables.oneOf(SMTP_HOPS)) ?? (smtpUrl === undefined ? 'final' : 'relay'),
    dataDir: resolve(reader.read('DATA_DIR', variables.directory) ?? '.data'),
    role,
    bootstrapApiKey: reader.read('BOOTSTRAP_API_KEY', variables.apiKey),
    logLevel: reader.read('LOG_LEVEL', variables.oneOf(LOG_LEVELS)) ?? 'info',
    rateLimit: reader.read('RATE_LIMIT', variables.positiveWhole),
    retrySchedule: reader.read('RETRY_SCHEDULE', variables.durations),
    sweepInterval: reader.read('SWEEP_INTERVAL', variables.interval),
    contentRetention: reader.read('RETENTION_CONTENT', variables.age),
    eventRetention: reader.read('RETENTION_EVENTS', variables.age),
    requireContent: reader.read('REQUIRE_CONTENT', variables.trueOrFalse) ?? false,
    drainDelay: reader.read('DRAIN_DELAY', variables.delay) ?? 0,
    adminToken: reader.read('ADMIN_TOKEN', variables.adminToken),
    otlpEndpoint: reader.read('OTEL_EXPORTER_OTLP_ENDPOINT', variables.otlpEndpoint),
    secretKeys: reader.read('SECRET_KEY', variables.secretKeys),
    publicUrl: reader.read('PUBLIC_URL', variables.publicUrl),
    webhookAllowPrivate: reader.read('WEBHOOK_ALLOW_PRIVATE', variables.blocks) ?? [],
    dashboardPath: dashboardPath === 'off' ? undefined : dashboardPath,
    queueShards: reader.read('QUEUE_SHARDS', variables.shards) ?? 1,
  };
  reader.finish();
  return settings;
}
