/** An embedded server in this folder, reached by an administrator's URL. */
export function startPostgresServer(
  folder: string,
  options?: { fsync?: boolean },
): Promise<{ url: string; stop(): Promise<void> }>;
