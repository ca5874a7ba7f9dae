import { emailsLink } from '../parts/emails-link';
import { personLink } from '../parts/person-link';
import { TEXTS } from './texts';

/** A place of the page. */
export interface Destination {
  title: string;
  /** Below the mount path. */
  href: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// Half of a surrogate pair has no place in a path.
const ADDRESS = /^[^\s@\p{Cs}]+@[^\s@\p{Cs}]+$/u;

/** The places that a text names: an email by its id, a person by an address, and screens by a part of their name. */
export function destinationsOf(text: string, screens: readonly { title: string; path: string }[]): Destination[] {
  const wanted = text.trim();
  if (UUID.test(wanted)) return [{ title: TEXTS.goTo.email(wanted), href: `/emails/${wanted.toLowerCase()}` }];
  if (ADDRESS.test(wanted)) {
    return [
      { title: TEXTS.goTo.person(wanted), href: personLink(wanted) },
      { title: TEXTS.goTo.emailsTo(wanted), href: emailsLink({ to: wanted }) },
    ];
  }
  const lower = wanted.toLowerCase();
  return screens
    .filter(({ title }) => title.toLowerCase().includes(lower))
    .map(({ title, path }) => ({ title, href: path }));
}
