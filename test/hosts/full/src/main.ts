import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EscapePipe } from './escape.pipe.js';
import { settings } from './settings.js';

async function bootstrap(): Promise<void> {
  // Modules are loaded on demand.
  const root =
    settings.only === 'contacts'
      ? (await import('./contacts-only.module.js')).ContactsOnlyModule
      : (await import('./app.module.js')).AppModule;

  // The modules read the bodies of their routes themselves, after the guards.
  const app = await NestFactory.create(root, { bodyParser: false });
  app.setGlobalPrefix('mail');
  app.useGlobalPipes(
    new EscapePipe(),
    new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
  );
  app.enableShutdownHooks();
  await app.listen(settings.port, '127.0.0.1');
}

void bootstrap();
