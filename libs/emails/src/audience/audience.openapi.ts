import type { OpenApiFeature } from '../shared/openapi/components.js';
import { contactsOpenApi } from './contacts/contacts.openapi.js';
import { topicsOpenApi } from './topics/topics.openapi.js';
import { unsubscribeOpenApi } from './unsubscribe/unsubscribe.openapi.js';

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const audienceOpenApi: OpenApiFeature = {
  paths: { ...topicsOpenApi.paths, ...contactsOpenApi.paths, ...unsubscribeOpenApi.paths },
  schemas: { ...topicsOpenApi.schemas, ...contactsOpenApi.schemas },
};
