import { InjectQueue } from '@nestjs/bullmq';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Queue } from 'bullmq';
import { Repository } from 'typeorm';
import { emailPipe } from '../email-pipe.js';
import { BookEmail } from './email.entity.js';

interface SendEmail {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string[];
  subject: string;
  html?: string;
  text?: string;
  headers: Record<string, string>;
  tags: { name: string; value: string }[];
}

@Controller('emails')
export class BookController {
  constructor(
    @InjectRepository(BookEmail) private readonly emails: Repository<BookEmail>,
    @InjectQueue('book') private readonly queue: Queue,
  ) {}

  @Post()
  @HttpCode(200)
  async send(@Body(emailPipe) request: SendEmail): Promise<{ id: string }> {
    const { reply_to, ...fields } = request;
    const email = await this.emails.save(
      this.emails.create({
        ...fields,
        accountId: 'default',
        replyTo: reply_to,
        html: fields.html ?? null,
        text: fields.text ?? null,
        scheduledAt: null,
        lastEvent: 'queued',
      }),
    );
    await this.queue.add('deliver', { emailId: email.id }, { removeOnComplete: true, attempts: 5 });
    return { id: email.id };
  }
}
