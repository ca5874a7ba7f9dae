import type { PipeTransform } from '@nestjs/common';

/** What this backend does to texts that come in: more than emails and contacts can bear. */
export class EscapePipe implements PipeTransform {
  transform(value: unknown): unknown {
    return typeof value === 'string' ? value.replaceAll('&', '&amp;').replaceAll("'", '&#39;') : value;
  }
}
