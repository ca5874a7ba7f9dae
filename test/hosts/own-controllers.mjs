/**
 * A host whose own controllers use classes derived from the library's, and whose document describes them. Prints one
 * line of JSON when it listens.
 */
import 'reflect-metadata';
import { Body, Controller, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, IntersectionType, OmitType, PartialType, PickType, SwaggerModule } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import * as older from 'class-validator-older';
import { SendEmailDto, withEmails } from 'nestjs-emails';
import { audience, CreateContactDto } from 'nestjs-emails/audience';

const decorate = (target, ...decorators) =>
  decorators.reduceRight((made, decorator) => decorator(made) ?? made, target);

class PickedDto extends PickType(SendEmailDto, ['to', 'subject', 'attachments', 'tags']) {}
class OmittedDto extends OmitType(SendEmailDto, ['template', 'reply_to']) {}
class PartialDto extends PartialType(SendEmailDto) {}
class JoinedDto extends IntersectionType(PickType(SendEmailDto, ['subject']), CreateContactDto) {}

/** The library's class with a field of the host, checked by an older class-validator. */
class ExtendedDto extends SendEmailDto {
  campaign;
}
older.IsInt()(ExtendedDto.prototype, 'campaign');

/** Answers with the body after its pipe. */
class OwnController {}
decorate(OwnController, Controller('own'));

const kinds = {
  whole: SendEmailDto,
  picked: PickedDto,
  omitted: OmittedDto,
  partial: PartialDto,
  joined: JoinedDto,
  extended: ExtendedDto,
};
for (const [kind, dto] of Object.entries(kinds)) {
  // Swagger uses the name of the function.
  Object.assign(OwnController.prototype, { [kind]: (body) => body });
  Reflect.defineMetadata('design:paramtypes', [dto], OwnController.prototype, kind);
  Post(kind)(OwnController.prototype, kind, Object.getOwnPropertyDescriptor(OwnController.prototype, kind));
  Body()(OwnController.prototype, kind, 0);
}

class HostModule {}
decorate(HostModule, Module({ controllers: [OwnController] }));

const app = await NestFactory.create(HostModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(0, '127.0.0.1');

const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());

/** Fields that an older class-validator of the same tree refuses. */
const refusedByOlder = async (body) =>
  (await older.validate(plainToInstance(SendEmailDto, body), { whitelist: true, forbidNonWhitelisted: true })).map(
    ({ property }) => property,
  );

console.log(
  JSON.stringify({
    port: app.getHttpServer().address().port,
    document,
    joined: withEmails(document, { features: [audience()], prefix: '/api' }),
    older: {
      good: await refusedByOlder({ from: 'a@from.test', to: 'to@to.test', subject: 'Hi', text: 'x', tags: { a: 'b' } }),
      bad: await refusedByOlder({ from: 'a', to: [], subject: 'Hi', text: 'x', tags: [{ name: 'a b' }], colour: 1 }),
    },
  }),
);
