import { emailsOpenApi } from 'nestjs-emails';
import { accessOpenApi } from 'nestjs-emails/access';
import { audienceOpenApi } from 'nestjs-emails/audience';
import { templatesOpenApi } from 'nestjs-emails/templates';
import { webhooksOpenApi } from 'nestjs-emails/webhooks';
import { healthOpenApi } from './health.js';

const { components, paths } = emailsOpenApi;

/** What the host answers, in OpenAPI 3.1. Every answer in the end-to-end tests is checked against it. */
export const openApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'nestjs-emails',
    version: '0.1.0',
    description:
      'An email API in the wire format of Resend. Every error is `{"statusCode", "name", "message"}`. A known path with ' +
      'another method is answered 405 with `Allow`, an unknown one 404, one that is no percent-encoded UTF-8 400.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ apiKey: [] }],
  paths: {
    ...paths,
    ...audienceOpenApi.paths,
    ...templatesOpenApi.paths,
    ...webhooksOpenApi.paths,
    ...accessOpenApi.paths,
    ...healthOpenApi.paths,
  },
  components: {
    ...components,
    schemas: {
      ...components.schemas,
      ...audienceOpenApi.schemas,
      ...templatesOpenApi.schemas,
      ...webhooksOpenApi.schemas,
      ...accessOpenApi.schemas,
    },
  },
};
