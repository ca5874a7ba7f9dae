import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, api, queryOf } from '../../api/client';
import type { Contact, ContactTopic, Email, EmailRecipient, List } from '../../api/types';

/** The newest email to an address that ended in a state, and why. */
export interface LastOutcome {
  email: Email;
  recipient: EmailRecipient | undefined;
}

/** A contact and its choices. */
export interface KnownContact {
  contact: Contact;
  topics: ContactTopic[];
}

/** The newest email to the address in this state; null without one. */
export const lastOutcomeQuery = (address: string, state: 'bounced' | 'complained') =>
  queryOptions({
    queryKey: ['person', address, state],
    retryOnMount: false,
    queryFn: async ({ signal }): Promise<LastOutcome | null> => {
      const query = queryOf({ to: address, last_event: state, limit: 1, fields: 'summary' });
      const [email] = (await api<List<Email>>('GET', `emails${query}`, { signal })).data;
      if (!email) return null;
      const { data } = await api<List<EmailRecipient>>('GET', `emails/${email.id}/recipients`, { signal });
      return { email, recipient: data.find((one) => isSame(one.address, address)) };
    },
  });

/** The contact with this address and its topics; null without one. */
export const contactQuery = (address: string) =>
  queryOptions({
    queryKey: ['person', address, 'contact'],
    retryOnMount: false,
    queryFn: async ({ signal }): Promise<KnownContact | null> => {
      try {
        const contact = await api<Contact>('GET', `contacts/${encodeURIComponent(address)}`, { signal });
        const { data } = await api<List<ContactTopic>>('GET', `contacts/${contact.id}/topics?limit=100`, { signal });
        return { contact, topics: data };
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      }
    },
  });

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
