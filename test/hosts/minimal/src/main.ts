import 'reflect-metadata';
import { ValidationPipe, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { ProblemFilter } from './problem.filter.js';
import { settings } from './settings.js';
import { TrimPipe } from './trim.pipe.js';

async function bootstrap(): Promise<void> {
  // The library reads the bodies of its routes itself, after the guards.
  const app = await NestFactory.create(AppModule, { bodyParser: false });

  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalPipes(
    new TrimPipe(),
    new ValidationPipe({ transform: true, whitelist: true, validateCustomDecorators: true, errorHttpStatusCode: 400 }),
  );
  app.useGlobalFilters(new ProblemFilter());

  app.enableShutdownHooks();
  await app.listen(settings.port, '127.0.0.1');
}

void bootstrap();
