import { type DynamicModule, Module } from '@nestjs/common';
import { FailedKeysService } from 'nestjs-emails/access';
import { AdminAccess } from './admin-access.js';

/** Access of operators. */
@Module({})
export class AdminModule {
  static register(token: string): DynamicModule {
    return {
      module: AdminModule,
      providers: [
        {
          provide: AdminAccess,
          inject: [FailedKeysService],
          useFactory: (failedKeys: FailedKeysService) => new AdminAccess(token, failedKeys),
        },
      ],
      exports: [AdminAccess],
    };
  }
}
