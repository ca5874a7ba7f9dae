import { ValidationPipe } from '@nestjs/common';

const DTO = new URL('../../../libs/emails/dist/emails/send/request/send-email.dto.js', import.meta.url);

/** Nest's own pipe for the library's DTO, which the library does not export: taken by its path. */
const { SendEmailDto } = await import(DTO.href);

export const emailPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  expectedType: SendEmailDto,
});
