const SUPPORT = new URL('../../support/servers/postgres-server.mjs', import.meta.url);

interface PostgresServer {
  /** An administrator's. */
  url: string;
  stop(): Promise<void>;
}

/** The embedded server that the tests use too, with its defaults: `fsync` and `synchronous_commit` are on. */
export async function startPostgresServer(dataDir: string): Promise<PostgresServer> {
  const support: { startPostgresServer(dataDir: string): Promise<PostgresServer> } = await import(SUPPORT.href);
  return support.startPostgresServer(dataDir);
}
