/** Path of each screen of the dashboard by its name, from the built table: the package does not export it. */
export async function screenPaths(): Promise<ReadonlyMap<string, string>> {
  const { SCREEN_ROWS } = await import(new URL('../../../libs/dashboard/dist/screens.js', import.meta.url).href);
  return new Map((SCREEN_ROWS as [string, { path: string }][]).map(([name, { path }]) => [name, path]));
}
