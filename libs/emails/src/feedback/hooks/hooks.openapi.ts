import { json, type OpenApiFeature, record, response } from '../../shared/openapi/components.js';

const RELAYS = ['ses', 'postmark', 'mailgun', 'sendgrid'];

const receive = {
  operationId: 'receiveRelayReports',
  summary: 'Reports of a relay',
  description:
    "For the webhooks of a relay: bounces, complaints and deliveries of emails that it accepted. The body and its proof are the relay's.",
  tags: ['Feedback'],
  security: [],
  parameters: [{ name: 'provider', in: 'path', required: true, schema: { enum: RELAYS } }],
  requestBody: { required: true, content: { '*/*': { schema: {} } } },
  responses: {
    200: { description: 'Recorded, or without use.' },
    400: response('Malformed'),
    401: json(
      'The proof is missing, wrong, too old, or was used before.',
      record({ statusCode: { const: 401 }, name: { const: 'invalid_access' }, message: { type: 'string' } }),
      { 'www-authenticate': { required: true, schema: { type: 'string' } } },
    ),
    404: response('NotFound'),
    405: response('MethodNotAllowed'),
    413: response('TooLarge'),
    415: response('NotJson'),
    422: response('Invalid'),
    500: response('Bug'),
    503: response('Unavailable'),
  },
};

/** The hooks' part of an OpenAPI 3.1 document. */
export const hooksOpenApi: OpenApiFeature = { paths: { '/hooks/{provider}': { post: receive } }, schemas: {} };
