import { fetchMounted } from '../../../../api/client';
import type { Email } from '../../../../api/types';
import { saveFile } from '../../../../parts/save-file';
import { emlName } from './eml-name';

/** Saves the email as it is sent. */
export async function downloadEml({ id, subject }: Pick<Email, 'id' | 'subject'>): Promise<void> {
  const response = await fetchMounted('GET', `api/emails/${id}/source`);
  saveFile(await response.blob(), emlName(subject, id));
}
