import { type ArgumentMetadata, Injectable } from '@nestjs/common';
import { PatchPipe } from '../shared/http/patch.pipe.js';
import { readTemplateVariables } from './read-template-variables.js';
import type { TemplateContentDto } from './template-content.dto.js';

/** For creation and change alike: what is emptied on creation is as good as not named. */
@Injectable()
export class TemplatePipe extends PatchPipe {
  override async transform(body: TemplateContentDto, metadata: ArgumentMetadata): Promise<TemplateContentDto> {
    const { reply_to: replyTo, text } = body;
    const fields = typeof replyTo === 'string' && replyTo !== '' ? { ...body, reply_to: [replyTo] } : body;
    const dto: TemplateContentDto = await super.transform(fields, metadata);
    if (text === '') {
      dto.text = '';
    }
    if (dto.variables) {
      dto.variables = await readTemplateVariables(dto.variables);
    }
    return dto;
  }
}
