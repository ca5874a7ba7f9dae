import { Injectable } from '@nestjs/common';
import { Notice } from '../notice.js';

/** Notice of counted refusals. */
@Injectable()
export class RefusalNotice extends Notice {}
