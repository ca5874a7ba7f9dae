import { Injectable, Module } from '@nestjs/common';
import { settings } from './settings.js';

/** Secrets like in a `ConfigService`. */
@Injectable()
export class Secrets {
  readonly keys = settings.secretKeys;
}

@Module({ providers: [Secrets], exports: [Secrets] })
export class SecretsModule {}
