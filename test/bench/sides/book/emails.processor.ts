import { Processor, WorkerHost } from '@nestjs/bullmq';
import { InjectRepository } from '@nestjs/typeorm';
import type { Job } from 'bullmq';
import nodemailer from 'nodemailer';
import { Repository } from 'typeorm';
import { CONCURRENCY, POOL } from '../pool-options.js';
import { BookEmail } from './email.entity.js';

@Processor('book', { concurrency: CONCURRENCY })
export class BookProcessor extends WorkerHost {
  private readonly transport = nodemailer.createTransport({
    ...POOL,
    host: '127.0.0.1',
    port: Number(process.env.SMTP_PORT),
  });

  constructor(@InjectRepository(BookEmail) private readonly emails: Repository<BookEmail>) {
    super();
  }

  async process(job: Job<{ emailId: string }>): Promise<void> {
    const email = await this.emails.findOneByOrFail({ id: job.data.emailId });
    const info = await this.transport.sendMail({
      from: email.from,
      to: email.to,
      cc: email.cc,
      bcc: email.bcc,
      replyTo: email.replyTo,
      subject: email.subject,
      headers: email.headers,
      ...(email.html !== null && { html: email.html }),
      ...(email.text !== null && { text: email.text }),
    });
    email.lastEvent = 'sent';
    email.messageId = info.messageId;
    await this.emails.save(email);
  }
}
