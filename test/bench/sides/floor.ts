/** Bare Nest on Express with a ValidationPipe for a DTO of our rules, and no I/O: the limit of the framework alone. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { emailPipe } from './email-pipe.js';
import { listen } from './listen.js';

@Controller('emails')
class FloorController {
  @Post()
  @HttpCode(200)
  send(@Body(emailPipe) _email: object): { id: string } {
    return { id: randomUUID() };
  }
}

@Module({ controllers: [FloorController] })
class FloorModule {}

await listen(FloorModule);
