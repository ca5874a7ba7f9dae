import { BullModule } from '@nestjs/bullmq';
import { type CanActivate, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailsModule, emailsDatabase, SmtpTransport } from 'nestjs-emails';
import { access } from 'nestjs-emails/access';
import { audience } from 'nestjs-emails/audience';
import { templates } from 'nestjs-emails/templates';
import { webhooks } from 'nestjs-emails/webhooks';

declare const url: string;
declare const redisUrl: string;
declare const secretKeys: string[];
declare const accountOf: (request: object) => string;
declare class YourGuard implements CanActivate {
  canActivate(): boolean;
}
