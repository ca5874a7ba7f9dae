import type { MigrationInterface } from 'typeorm';
import { FeedbackCreate1764800006000 } from './1764800006000-feedback-create.js';

/** Every migration of the feature, for the host's data source. */
export const feedbackMigrations: (new () => MigrationInterface)[] = [FeedbackCreate1764800006000];
