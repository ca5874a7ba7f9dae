/** Folder of the modules of this package. `folder.cts` takes its place where a compiler made CommonJS of them. */
export const folder = new URL('./', import.meta.url);
