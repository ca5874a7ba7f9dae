/**
 * Imports an optional package.
 *
 * @param load imports it
 * @param option the option that needs it
 * @throws Error that says which package to install, if it is missing
 */
export async function importPeer<T>(name: string, option: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      `Feature feedback: \`${option}\` needs the package \`${name}\`. Install it next to nestjs-emails.`,
      {
        cause: error,
      },
    );
  }
}
