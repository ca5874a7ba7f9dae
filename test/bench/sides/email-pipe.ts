import { ValidationPipe } from '@nestjs/common';
import { SendEmailDto } from './send-email.dto.js';

/** Nest's own pipe for the body of `POST /emails`. */
export const emailPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  expectedType: SendEmailDto,
});
