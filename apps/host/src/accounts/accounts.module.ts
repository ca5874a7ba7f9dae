import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AccountsService } from './accounts.service.js';
import { OperatorKeyService } from './operator-key.service.js';

@Module({
  imports: [ApiKeysModule],
  providers: [AccountsService, OperatorKeyService],
  exports: [OperatorKeyService],
})
export class AccountsModule {}
