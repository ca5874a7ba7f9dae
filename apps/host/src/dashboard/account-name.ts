import type { ModuleRef } from '@nestjs/core';
import { getRepositoryToken } from '@nestjs/typeorm';
import { AccountEntity } from 'nestjs-emails/access';
import type { EmailsDashboardOptions } from 'nestjs-emails-dashboard';
import type { Repository } from 'typeorm';

/** Names of accounts, for the top of the page. */
export function accountName(moduleRef: ModuleRef): NonNullable<EmailsDashboardOptions['accountName']> {
  return async (id) => {
    const accounts = moduleRef.get<Repository<AccountEntity>>(getRepositoryToken(AccountEntity), { strict: false });
    return (await accounts.findOneBy({ id }))?.name;
  };
}
