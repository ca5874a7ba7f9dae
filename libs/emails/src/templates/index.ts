export type { FeatureExtras, FeatureOptions } from '../shared/features/feature.options.js';
export { templatesEntities } from './entities.js';
export { templatesMigrations } from './migrations/index.js';
export { PublishedTemplateSource } from './published-template-source.js';
export type { TemplateVariable, TemplateVariableRecord } from './read-template-variables.js';
export type { TemplateRecord } from './template-record.js';
export { TemplatesModule } from './templates.module.js';
export { templatesOpenApi } from './templates.openapi.js';
export { type NewTemplate, type TemplateFields, TemplatesService } from './templates.service.js';
