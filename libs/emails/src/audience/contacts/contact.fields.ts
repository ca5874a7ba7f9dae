import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { mailbox } from '../../shared/validation/mailbox-rule.js';
import { fixed, line, list, trueOrFalse, uuid } from '../../shared/validation/rule.js';
import { subscription } from '../topics/topic.fields.js';

/** One address without a name. */
const address = mailbox('must be one address such as `name@example.com`, without a name', {
  also: (mailbox, text) => mailbox.address === text.trim(),
});

/** Read further by `readTopicChoices`. */
const choices = list('must be an array of `{id, subscription}`');

/** The body of `POST /contacts`. */
export const newContact = new Fields({
  email: required(address),
  first_name: optional(line(255)),
  last_name: optional(line(255)),
  unsubscribed: optional(trueOrFalse),
  topics: optional(choices),
});

/** The body of `PATCH /contacts/:id_or_email`. Null empties a name. */
export const contactChanges = new Fields({
  first_name: optional(line(255)),
  last_name: optional(line(255)),
  unsubscribed: optional(trueOrFalse),
  /** An address and the choices made for it belong together: another address is another contact. */
  email: optional(fixed),
});

/** The body of `PATCH /contacts/:id_or_email/topics`, when it is an object. */
export const topicChoices = new Fields({ topics: required(choices) });

/** An entry of `topics`. */
export const topicChoice = new Fields({
  id: required(uuid('must be the id of a topic')),
  subscription: required(subscription),
});
