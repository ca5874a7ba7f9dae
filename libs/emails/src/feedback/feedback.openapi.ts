import type { OpenApiFeature } from '../shared/openapi/components.js';
import { hooksOpenApi } from './hooks/hooks.openapi.js';
import { suppressionsOpenApi } from './suppressions/suppressions.openapi.js';

/** The feature's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const feedbackOpenApi: OpenApiFeature = {
  paths: { ...suppressionsOpenApi.paths, ...hooksOpenApi.paths },
  schemas: suppressionsOpenApi.schemas,
};
