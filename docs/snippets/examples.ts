import { test } from 'node:test';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  type INestApplication,
  Injectable,
  Module,
  Post,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsOptional, IsString } from 'class-validator';
import {
  type AccountResolver,
  ApiError,
  ApiErrorFilter,
  ApiRoutes,
  type AttachmentStorage,
  answerInPieces,
  type Caller,
  CurrentCaller,
  callerHandedOn,
  callerOf,
  carriesOwnProof,
  checkTemplate,
  collapseSlashes,
  type EmailEvent,
  EmailsBacklog,
  type EmailsFeature,
  EmailsHealthIndicator,
  EmailsModule,
  EmailsNextHop,
  EmailsService,
  type EmailTransport,
  EventSubscriptions,
  emailIdOf,
  emailsDatabase,
  Field,
  handOn,
  IdempotencyKey,
  isDatabaseUnavailable,
  JsonBodyInterceptor,
  keepBodyParsers,
  LargeAnswers,
  lackingAt,
  NeedsRole,
  noteCaller,
  OnEmailEvent,
  type OpenApiDocument,
  PageQueryDto,
  PathId,
  PathText,
  type PersonEraser,
  PostgresAttachmentStorage,
  type PublishedTemplate,
  previewTemplate,
  queueNames,
  type RecipientPolicy,
  RequestBody,
  RequestContext,
  RequestQuery,
  readQuery,
  refuse,
  SecretKeys,
  SendEmailDto,
  SmtpTransport,
  StagingSwitch,
  subscribe,
  type TemplateSource,
  type TopicPolicy,
  unsubscribe,
  withEmails,
} from 'nestjs-emails';
import { AccountsService, ApiKeyGuard, ApiKeyResolver, ApiKeysService, RateLimitGuard } from 'nestjs-emails/access';
import {
  audience,
  ContactsService,
  TopicChoicesService,
  TopicsService,
  type UnsubscribePage,
} from 'nestjs-emails/audience';
import { DomainsService } from 'nestjs-emails/domains';
import { SuppressionsService } from 'nestjs-emails/feedback';
import { TemplatesService } from 'nestjs-emails/templates';
import {
  accountResolverContract,
  attachmentStorageContract,
  connectingTransportContract,
  credentialsResolverContract,
  EmailsTestingModule,
  emailTransportContract,
  personEraserContract,
  RecordingTransport,
  recipientPolicyContract,
  SentEmails,
  signedWebhook,
  suppressionListContract,
  TestMailboxes,
  templateSourceContract,
  topicPolicyContract,
} from 'nestjs-emails/testing';
import { WebhookEventsService, WebhooksBacklog, WebhooksService } from 'nestjs-emails/webhooks';
import { DashboardSignIn, EmailsDashboardModule } from 'nestjs-emails-dashboard';
import { DataSource, type EntityManager, type MigrationInterface } from 'typeorm';

declare const app: INestApplication;
declare const dataSource: DataSource;
declare const manager: EntityManager;
declare const request: import('node:http').IncomingMessage;
declare const response: import('node:http').ServerResponse;
declare const secretKeys: string[];
declare const url: string;
declare const features: EmailsFeature[];
declare const entities: (new () => object)[];
declare const migrations: (new () => MigrationInterface)[];
declare const accountResolver: AccountResolver;
/** Types of packages that are not installed here. */
declare const SwaggerModule: {
  createDocument(app: INestApplication, config: object): OpenApiDocument;
  setup(path: string, app: INestApplication, document: OpenApiDocument): void;
};
declare class DocumentBuilder {
  build(): object;
}
declare function HealthCheck(): MethodDecorator;
declare class HealthCheckService {
  check(indicators: (() => Promise<Record<string, { status: 'up' | 'down' }>>)[]): Promise<object>;
}
declare class YourGuard implements CanActivate {
  canActivate(): boolean;
}
declare class AppModule {}
declare class Greeter {
  welcome(to: string): Promise<void>;
}
declare class Suppressions implements RecipientPolicy, PersonEraser {
  decide: RecipientPolicy['decide'];
  erase: PersonEraser['erase'];
}
declare class SuppressionEntity {}
declare class CreateSuppressions1764000000000 implements MigrationInterface {
  up(): Promise<void>;
  down(): Promise<void>;
}
