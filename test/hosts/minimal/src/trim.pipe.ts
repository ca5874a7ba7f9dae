import { Injectable, type PipeTransform } from '@nestjs/common';

/** Trims every text in a body: right for this host's forms, wrong for an email's text. */
@Injectable()
export class TrimPipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (typeof value === 'string') return value.trim();
    if (Array.isArray(value)) return value.map((item) => this.transform(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.transform(item)]));
  }
}
