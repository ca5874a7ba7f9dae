import type { PipeTransform } from '@nestjs/common';

/** Changes all incoming texts of this backend, which would damage emails and contacts. */
export class EscapePipe implements PipeTransform {
  transform(value: unknown): unknown {
    return typeof value === 'string' ? value.replaceAll('&', '&amp;').replaceAll("'", '&#39;') : value;
  }
}
