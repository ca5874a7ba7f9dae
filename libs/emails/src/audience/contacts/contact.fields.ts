import { optional, required } from '../../shared/validation/field.js';
import { Fields } from '../../shared/validation/fields.js';
import { mailbox } from '../../shared/validation/mailbox-rule.js';
import { repeated } from '../../shared/validation/repeated.js';
import { lacking, line, list, trueOrFalse, uuid } from '../../shared/validation/rule.js';
import { subscription } from '../topics/topic.fields.js';
import { plainProperties, properties } from './contact-properties.js';

/** One address without a name. */
const address = mailbox('must be one address such as `name@example.com`, without a name', {
  also: (mailbox, text) => mailbox.address === text.trim(),
});

/** Read further by `readTopicChoices`. */
const choices = list('must be an array of `{id, subscription}`');

/** What a contact may say, on creation and on change. */
const details = {
  first_name: optional(line(255)),
  last_name: optional(line(255)),
  unsubscribed: optional(trueOrFalse),
  properties: optional(properties, { reads: plainProperties }),
  audience_id: optional(lacking('segments')),
  segment_id: optional(lacking('segments')),
  segments: optional(lacking('segments')),
};

/** What a change of a contact may repeat of its path. An address and the choices made for it belong together. */
const own = { id: optional(repeated), contact_id: optional(repeated), email: optional(repeated) };

/** The body of `POST /contacts`. */
export const newContact = new Fields({
  email: required(address),
  ...details,
  topics: optional(choices),
});

/** The body of `PATCH /contacts/:id_or_email`. Null clears a name and the properties. */
export const contactChanges = new Fields({ ...details, ...own });

/** The body of `PATCH /contacts/:id_or_email/topics`, when it is an object. */
export const topicChoices = new Fields({ topics: required(choices), ...own });

/** An entry of `topics`. */
export const topicChoice = new Fields({
  id: required(uuid('must be the id of a topic')),
  subscription: required(subscription),
});
