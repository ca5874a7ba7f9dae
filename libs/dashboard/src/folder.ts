/** Folder of the modules of this package. `folder.cts` replaces this file if a compiler converts them to CommonJS. */
export const folder = new URL('./', import.meta.url);
