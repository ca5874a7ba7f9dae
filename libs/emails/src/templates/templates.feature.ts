import type { EmailsFeature } from '../index.js';
import type { FeatureExtras } from '../shared/features/feature.options.js';
import { featureExtras } from '../shared/features/feature-settings.js';
import { templatesEntities } from './entities.js';
import { templatesMigrations } from './migrations/index.js';
import { PublishedTemplateSource } from './published-template-source.js';
import { TemplateEraser } from './template-eraser.js';
import { TemplatesController } from './templates.controller.js';
import { templatesOpenApi } from './templates.openapi.js';
import { TemplatesRepository } from './templates.repository.js';
import { TemplatesService } from './templates.service.js';

const SERVICES = [TemplatesService, PublishedTemplateSource, TemplateEraser];

/** Templates with drafts and published versions: `/templates`, the template source, and a person eraser. */
export function templates(extras: FeatureExtras = {}): EmailsFeature {
  return {
    name: 'templates',
    controllers: [TemplatesController],
    providers: [...SERVICES, TemplatesRepository],
    exports: SERVICES,
    entities: templatesEntities,
    migrations: templatesMigrations,
    openApi: templatesOpenApi,
    templateSource: PublishedTemplateSource,
    personErasers: [TemplateEraser],
    ...featureExtras('templates', extras),
  };
}
