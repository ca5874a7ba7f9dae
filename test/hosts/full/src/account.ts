import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccessModule, AccountsService } from 'nestjs-emails/access';
import { databaseModule, MAIL } from './infrastructure.js';

@Module({ imports: [databaseModule, AccessModule.forRoot({ dataSource: MAIL, role: 'worker' })] })
class AccountModule {}

/** Makes an account and prints its id and its first key, which nobody sees again. */
async function create(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AccountModule, { logger: ['error'] });
  console.log(JSON.stringify(await app.get(AccountsService).create(process.argv[2] ?? 'default')));
  await app.close();
}

void create();
