import { Module } from '@nestjs/common';
import { PublishedTemplateSource } from './published-template-source.js';

/** What the library asks, without the routes. */
@Module({ providers: [PublishedTemplateSource], exports: [PublishedTemplateSource] })
export class TemplateSourceModule {}
