import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { FailedKeysService } from '../../access/auth/failed-keys.service.js';
import { AdminAccess } from './admin-access.js';

/** Who is an operator. */
@Module({})
export class AdminModule {
  static register(token: string): DynamicModule {
    return {
      module: AdminModule,
      imports: [AuthModule],
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
