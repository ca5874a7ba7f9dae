import { fetchMounted } from '../../../../api/client';
import type { Email } from '../../../../api/types';
import { emlName } from './eml-name';

/** Saves the email as it is sent. Each request of the page has more than a cookie, which a plain link cannot send. */
export async function downloadEml({ id, subject }: Pick<Email, 'id' | 'subject'>): Promise<void> {
  const response = await fetchMounted('GET', `api/emails/${id}/source`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = emlName(subject, id);
  link.click();
  URL.revokeObjectURL(link.href);
}
