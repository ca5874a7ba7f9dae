import { Module } from '@nestjs/common';
import { featureModule } from '../shared/features/feature-module.js';
import { templatesMigrations } from './migrations/index.js';
import { PublishedTemplateSource } from './published-template-source.js';
import { TemplateEraser } from './template-eraser.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

/**
 * Templates with drafts and published versions: `/templates`. Import it with `forRoot` or `forRootAsync`, beside
 * `TypeOrmModule` (with `templatesEntities` and `templatesMigrations`), and give `PublishedTemplateSource` and
 * `TemplateEraser` to `EmailsModule`.
 */
@Module({})
export class TemplatesModule extends featureModule({
  name: 'TemplatesModule',
  controllers: [TemplatesController],
  services: [TemplatesService, PublishedTemplateSource, TemplateEraser],
  migrations: templatesMigrations,
}) {}
