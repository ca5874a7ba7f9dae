import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Sources and their unit tests, and the tests over HTTP. */
const FOLDERS = [...sourcesOf('libs'), ...sourcesOf('apps'), 'libs/dashboard/page/src', 'test/e2e', 'test/roles'];

function sourcesOf(workspaces: string): string[] {
  const folders = readdirSync(join(ROOT, workspaces)).map((name) => `${workspaces}/${name}/src`);
  return folders.filter((folder) => existsSync(join(ROOT, folder)));
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
);

/**
 * The path from the root of the one file with this name, in any folder. If two have the same name, it is preceded by as
 * much of the path as distinguishes them: `mailbox/address.ts`.
 *
 * @throws Error without exactly one match
 */
export function locate(name: string): string {
  const found = files.filter((path) => path.endsWith(`/${name}`));
  const [path] = found;
  if (path === undefined) throw new Error(`No file below ${FOLDERS.join(', ')} is called ${name}.`);
  if (found.length > 1) throw new Error(`More than one file is called ${name}: ${found.join(', ')}.`);
  return path;
}
