import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LONGEST_TIMER, milliseconds } from '../options/number-rules.js';
import { both, list, port, refuse } from '../options/rules.js';
import { PeriodicTask } from '../work/periodic-task.js';
import type { HousekeepingTask } from './housekeeping-task.js';

const RULE = list(
  both(port('a housekeeping task', ['step']), (path, value) =>
    milliseconds(1, LONGEST_TIMER)(`${path}.interval`, (value as HousekeepingTask).interval),
  ),
);

/** Runs the tasks of one feature, each for itself. */
export class FeatureHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: PeriodicTask[];

  /** @throws Error when one of them is none */
  constructor(feature: string, tasks: readonly HousekeepingTask[]) {
    refuse(`Feature ${feature}`, RULE('housekeeping', tasks));
    const logger = new Logger(FeatureHousekeeping.name);
    const warn = () => logger.warn(`Housekeeping of the feature ${feature} failed. It will be tried again.`);
    this.tasks = tasks.map((task) => new PeriodicTask(() => task.step(), task.interval, warn));
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }
}
