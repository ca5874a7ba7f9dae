import { Injectable } from '@nestjs/common';
import { Notice } from '../notice.js';

/** Notice of counted bounces and complaints. */
@Injectable()
export class ReputationDue extends Notice {}
