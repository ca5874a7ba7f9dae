import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AccountsService } from './accounts.service.js';

@Module({
  imports: [ApiKeysModule],
  providers: [AccountsService],
  exports: [AccountsService],
})
export class AccountsModule {}
