import { getQueueToken } from '@nestjs/bullmq';
import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { queueNames } from 'nestjs-emails';
import { AdminModule } from '../admin/admin.module.js';
import { AdminAccess } from '../admin/admin-access.js';
import { BOARD_PATH } from './board-path.js';
import { queueBoard } from './queue-board.js';

const SHARDS = Symbol('SHARDS');

/** The queues, at `/admin/queues`, for holders of `ADMIN_TOKEN`. */
@Module({})
export class BoardModule implements NestModule {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly moduleRef: ModuleRef,
    private readonly access: AdminAccess,
    @Inject(SHARDS) private readonly shards: number,
  ) {}

  static register(adminToken: string, queueShards: number): DynamicModule {
    return {
      module: BoardModule,
      imports: [AdminModule.register(adminToken)],
      providers: [{ provide: SHARDS, useValue: queueShards }],
    };
  }

  /** Not through the consumer: the board is an Express application that expects paths without its prefix. */
  configure(): void {
    const queues = queueNames(this.shards).map((name) =>
      this.moduleRef.get<Queue>(getQueueToken(name), { strict: false }),
    );
    for (const handler of queueBoard(queues, this.access)) this.adapterHost.httpAdapter.use(BOARD_PATH, handler);
  }
}
