import { validate as isUUID } from 'uuid';
import { isSameId } from '../../shared/validation/repeated.js';
import { emailKeyOf } from './contact-key.js';

/** Whether a text is this contact's id, or its email in any spelling. */
export const namesContact =
  ({ id, email }: { id: string; email: string }) =>
  (text: string): boolean =>
    isUUID(text) ? isSameId(id)(text) : emailKeyOf(text) === emailKeyOf(email);
