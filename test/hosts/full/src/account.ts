import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EmailsFeatureModule } from 'nestjs-emails';
import { AccountsService, access } from 'nestjs-emails/access';
import { databaseModule, MAIL } from './infrastructure.js';

const accounts = EmailsFeatureModule.forRoot({ features: [access()], dataSource: MAIL, role: 'worker' });

@Module({ imports: [databaseModule, accounts] })
class AccountModule {}

/** Creates an account and prints its id and its first key, which is not shown again. */
async function create(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AccountModule, { logger: ['error'] });
  console.log(JSON.stringify(await app.get(AccountsService).create(process.argv[2] ?? 'default')));
  await app.close();
}

void create();
