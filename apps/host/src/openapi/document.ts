import { emailsOpenApi } from 'nestjs-emails';
import { features } from '../features/features.js';
import { healthOpenApi } from './health.js';

const { components, paths } = emailsOpenApi;
const parts = features().flatMap(({ openApi }) => openApi ?? []);

/** The host's API in OpenAPI 3.1. Every answer in the end-to-end tests is checked against it. */
export const openApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'nestjs-emails',
    version: '0.1.0',
    description:
      'An email API in the wire format of Resend. Every error is `{"statusCode", "name", "message"}`. A known path with ' +
      'another method is answered 405 with `Allow`, an unknown one 404, one that is not percent-encoded UTF-8 400.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ apiKey: [] }],
  paths: {
    ...paths,
    ...Object.assign({}, ...parts.map((part) => part.paths)),
    ...healthOpenApi.paths,
  },
  components: {
    ...components,
    schemas: Object.assign({}, components.schemas, ...parts.map((part) => part.schemas)),
  },
};
