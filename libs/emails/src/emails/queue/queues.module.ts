import { BullModule, getSharedConfigToken } from '@nestjs/bullmq';
import { type DynamicModule, Logger, type ModuleMetadata } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { dataSourceProvider } from '../../shared/features/data-source.provider.js';
import { queueNameOf, queueNames } from './shards.js';

const DATA_SOURCE = Symbol('nestjs-emails data source of the queues');
const IDENTITY = Symbol('nestjs-emails database identity');

const HOW_TO_CONNECT =
  "Import `BullModule.forRoot({ connection: { url: 'redis://…' } })`, with the key that is given here as `queueConfigKey`.";

export interface QueuesOptions {
  shards: number;
  /** Key of the host's BullMQ configuration. Default: the unnamed one. */
  configKey: string | undefined;
  /** Name of the data source. Default: the unnamed one. */
  dataSource: string | undefined;
  /** Modules that may provide it. */
  imports: NonNullable<ModuleMetadata['imports']>;
  /** Resolves with the identity of the database. */
  identify: (dataSource: DataSource) => Promise<string>;
}

/**
 * The queues. Their names contain the identity of the database, so that two applications on one Redis do not take each
 * other's jobs.
 */
export function queuesModule({ shards, configKey, dataSource, imports, identify }: QueuesOptions): DynamicModule {
  const identity = {
    provide: IDENTITY,
    inject: [DATA_SOURCE],
    useFactory: (source: DataSource) => (source.isInitialized ? identify(source) : warnOfNoIdentity()),
  };
  return BullModule.registerQueueAsync(
    ...queueNames(shards).map((name) => ({
      name,
      ...(configKey !== undefined && { configKey }),
      imports,
      extraProviders: [dataSourceProvider('EmailsModule', DATA_SOURCE, dataSource), identity],
      inject: [IDENTITY, { token: getSharedConfigToken(configKey), optional: true }],
      useFactory: (id: string | undefined, shared: object | undefined) => {
        if (!shared) throw new Error(`EmailsModule: its queues have no connection. ${HOW_TO_CONNECT}`);
        return { name: id === undefined ? name : queueNameOf(name, id) };
      },
    })),
  );
}

/** The sweep makes up for a wake-up in a queue without a worker. */
function warnOfNoIdentity(): undefined {
  new Logger('EmailsModule').warn(
    'The data source is not initialized yet, so that neither tables nor the identity of the database can be looked at: ' +
      'the queues are named as if there was one database. Initialize it before, or leave that to TypeOrmModule.',
  );
}
