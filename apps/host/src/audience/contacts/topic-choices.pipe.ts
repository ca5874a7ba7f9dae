import { Injectable, type PipeTransform } from '@nestjs/common';
import { BodyPipe } from '../../shared/http/body.pipe.js';
import { readTopicChoices } from './read-topic-choices.js';
import { TopicChoicesDto } from './topic-choices.dto.js';
import type { TopicChoice } from './topic-choices.service.js';

/** Takes `[{id, subscription}]`, which the official client sends, and `{"topics": […]}`. */
@Injectable()
export class TopicChoicesPipe implements PipeTransform<object, Promise<TopicChoice[]>> {
  private readonly fields = new BodyPipe();

  /** @throws ApiError for the first rule that is broken */
  async transform(body: object): Promise<TopicChoice[]> {
    const given = Array.isArray(body) ? { topics: body } : body;
    const dto = await this.fields.transform(given, { type: 'body', metatype: TopicChoicesDto });
    return readTopicChoices((dto as TopicChoicesDto).topics);
  }
}
