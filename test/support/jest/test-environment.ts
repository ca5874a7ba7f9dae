declare const __QUEUE_KIND__: 'postgres' | 'redis';
declare const __HOST_KIND__: 'minimal' | undefined;

/** Which queue the running jest project is about. */
export function queueKind(): 'postgres' | 'redis' {
  return __QUEUE_KIND__;
}

/** What `run-tests.mjs` hands over. */
export function fromTestRun(
  name: 'TEST_RUN_ID' | 'TEST_DATABASE_URL' | 'TEST_REDIS_URL' | 'TEST_OPENAPI_FILE' | 'TEST_PGBOUNCER',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the suites by \`npm test\`, which starts the servers.`);
  return value;
}

/** Which host the running jest project is about; outside of jest, ours. */
export function hostKind(): 'ours' | 'minimal' {
  return typeof __HOST_KIND__ === 'undefined' ? 'ours' : __HOST_KIND__;
}

/** Where `install-minimal-host.mjs` put the minimal host. */
export function packageFolder(): string {
  return process.env.TEST_MINIMAL_HOST ?? '';
}

/** Where `install-minimal-host.mjs` put the full host. */
export function fullHostFolder(): string {
  return process.env.TEST_FULL_HOST ?? '';
}
