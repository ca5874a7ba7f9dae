import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Refuses a data source whose tables have other names than those that the migrations make. */
@Injectable()
export class DataSourceCheck {
  /** @throws Error when there is an `entityPrefix` */
  constructor(dataSource: DataSource) {
    if (!dataSource.options.entityPrefix) return;
    throw new Error(
      'nestjs-emails cannot use a data source with `entityPrefix`: its tables have names of their own, in a schema of ' +
        'their own. Give it a data source without one, and its name as `dataSource`.',
    );
  }
}
