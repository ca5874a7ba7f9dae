import { ValidationPipe } from '@nestjs/common';
import { SendEmailDto } from 'nestjs-emails';

/** Nest's own pipe for the body of `POST /emails`, with the library's class. */
export const emailPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  expectedType: SendEmailDto,
});
