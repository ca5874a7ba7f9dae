import { schema } from '../../shared/openapi/components.js';
import { deleted, listing, operation } from '../../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../../shared/validation/dto-schema.js';
import { CreateTopicDto } from './create-topic.dto.js';
import { TopicDto } from './topic.dto.js';
import { UpdateTopicDto } from './update-topic.dto.js';

const tag = 'Topics';
const path = { id: 'The id of a topic.' };
export const topicsOpenApi = {
  schemas: { Topic: answerSchema(TopicDto) },
  paths: {
    '/topics': {
      post: operation({
        id: 'createTopic',
        summary: 'Create a topic',
        tag,
        requestBody: requestSchema(CreateTopicDto),
        success: { 201: schema('Topic') },
      }),
      get: listing({ id: 'listTopics', summary: 'List topics', tag }, schema('Topic')),
    },
    '/topics/{id}': {
      get: operation({ id: 'getTopic', summary: 'Get a topic', tag, path, success: { 200: schema('Topic') } }),
      patch: operation({
        id: 'updateTopic',
        summary: 'Change a topic',
        tag,
        path,
        requestBody: requestSchema(UpdateTopicDto),
        success: { 200: schema('Topic') },
      }),
      delete: operation({
        id: 'deleteTopic',
        summary: 'Delete a topic',
        tag,
        path,
        success: { 200: deleted('topic') },
      }),
    },
  },
};
