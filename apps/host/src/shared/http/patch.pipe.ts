import { type ArgumentMetadata, Injectable } from '@nestjs/common';
import { BodyPipe } from './body.pipe.js';

/**
 * Like `BodyPipe`, but tells a field that was emptied from one that was not named: the former is null, the latter
 * undefined. The official client empties a field by null.
 */
@Injectable()
export class PatchPipe extends BodyPipe {
  override async transform(body: object, metadata: ArgumentMetadata): Promise<object> {
    const dto: Record<string, unknown> = { ...(await super.transform(body, metadata)) };
    for (const field of Object.keys(body)) {
      dto[field] ??= null;
    }
    return dto;
  }
}
