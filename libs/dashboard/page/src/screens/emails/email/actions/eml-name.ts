/** Characters that no file system or shell reads in a way of its own. */
const PLAIN = /[^\p{L}\p{M}\p{N}]+/gu;
const LONGEST = 60;

/**
 * File name for an email: its subject as plain words, and the start of its id, which keeps names apart. It never begins
 * with a dot or a dash, and is no name that Windows reserves, because the id follows.
 */
export function emlName(subject: string, id: string): string {
  const words = [...subject.normalize('NFC').replace(PLAIN, '-')]
    .slice(0, LONGEST)
    .join('')
    .replace(/^-+|-+$/g, '');
  return `${words || 'email'}-${id.slice(0, 8)}.eml`;
}
