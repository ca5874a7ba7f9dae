/**
 * Imports an optional package.
 *
 * @param needs the feature or option that needs it, such as "Feature domains"
 * @param load imports it
 * @throws Error that says which package to install, if it is missing
 */
export async function importPeer<T>(name: string, needs: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`${needs} needs the package \`${name}\`. Install it next to nestjs-emails.`, { cause: error });
  }
}
