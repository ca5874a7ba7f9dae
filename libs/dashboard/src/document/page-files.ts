import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** A file of the page in its response form. */
export interface PageFile {
  type: string;
  content: Buffer;
  /** The gzip-compressed copy, if there is one. */
  compressed: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the page by their paths. They are read at the start and kept in memory: a requested path is looked up,
 * and never reaches the disk.
 *
 * @param folder output of the build
 * @throws Error when the page was not built
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).split(sep).join('/');
    files.set(path, { type, content: readFileSync(file), compressed: readIfThere(`${file}.gz`) });
  }
  if (!files.has('index.html')) throw new Error(`There is no page in ${folder}. Build it: \`npm run build\`.`);
  return files;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
