import { fetchMounted } from './client';

/** How long the browser may take to begin with the file. Milliseconds. */
const BEGIN = 60_000;

/**
 * Has the browser keep what lies below the mount path as a file. A plain link cannot show the page token that is asked for.
 *
 * @throws ApiProblem
 */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await fetchMounted('GET', path);
  const url = URL.createObjectURL(new Blob([await response.blob()], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), BEGIN);
}
