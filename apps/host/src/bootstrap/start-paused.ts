import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EmailsService } from 'nestjs-emails';
import { isOfAllMail } from './is-of-all-mail.js';

/** Pauses all mail of a restored database, before the workers of this process start. */
@Injectable()
export class StartPaused implements OnModuleInit {
  constructor(private readonly emails: EmailsService) {}

  async onModuleInit(): Promise<void> {
    if ((await this.emails.pauses()).some(isOfAllMail)) return;
    await this.emails.pause({ reason: 'START_PAUSED' });
  }
}
