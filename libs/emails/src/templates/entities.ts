import { TemplateEntity } from './template.entity.js';

/** Every entity of the module, for the host's `TypeOrmModule`. */
export const templatesEntities: (new () => object)[] = [TemplateEntity];
