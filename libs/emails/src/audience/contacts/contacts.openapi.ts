import { ALL } from '../../shared/http/page-query.dto.js';
import { schema } from '../../shared/openapi/components.js';
import { deleted, listing, operation, uuid } from '../../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../../shared/validation/dto-schema.js';
import { ChosenTopicsDto } from './chosen-topics.dto.js';
import { ContactDto } from './contact.dto.js';
import { ContactTopicDto } from './contact-topic.dto.js';
import { CreateContactDto } from './create-contact.dto.js';
import { ListContactsQueryDto } from './list-contacts-query.dto.js';
import { SetContactTopicsDto } from './set-contact-topics.dto.js';
import { TopicChoiceDto } from './topic-choice.dto.js';
import { UpdateContactDto } from './update-contact.dto.js';

const tag = 'Contacts';
const path = { id_or_email: 'The id or the address of a contact.' };
export const contactsOpenApi = {
  schemas: { Contact: answerSchema(ContactDto), ContactTopic: answerSchema(ContactTopicDto) },
  paths: {
    '/contacts': {
      post: operation({
        id: 'createContact',
        summary: 'Create a contact, or write the given fields of the one with this email',
        tag,
        requestBody: requestSchema(CreateContactDto),
        success: { 201: schema('Contact') },
      }),
      get: listing(
        { id: 'listContacts', summary: 'List contacts', tag, query: ListContactsQueryDto, max: ALL },
        schema('Contact'),
      ),
    },
    '/contacts/{id_or_email}': {
      get: operation({ id: 'getContact', summary: 'Get a contact', tag, path, success: { 200: schema('Contact') } }),
      patch: operation({
        id: 'updateContact',
        summary: 'Change a contact',
        tag,
        path,
        requestBody: requestSchema(UpdateContactDto),
        success: { 200: schema('Contact') },
      }),
      delete: operation({
        id: 'deleteContact',
        summary: 'Delete a contact',
        tag,
        path,
        success: { 200: deleted('contact', { contact: uuid }) },
      }),
    },
    '/contacts/{id_or_email}/topics': {
      get: listing(
        { id: 'listContactTopics', summary: 'List all topics with the choices of a contact', tag, path },
        schema('ContactTopic'),
      ),
      patch: operation({
        id: 'chooseContactTopics',
        summary: 'Record the choices of a contact',
        tag,
        path,
        requestBody: {
          oneOf: [{ type: 'array', items: requestSchema(TopicChoiceDto) }, requestSchema(SetContactTopicsDto)],
        },
        success: { 200: answerSchema(ChosenTopicsDto) },
      }),
    },
  },
};
