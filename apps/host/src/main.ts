import 'reflect-metadata';
import { banner } from './bootstrap/banner.js';
import { startInfrastructure } from './bootstrap/infrastructure.js';
import { Lifecycle } from './bootstrap/lifecycle.js';
import { startProblem } from './bootstrap/start-problem.js';
import { stopOnSignal } from './bootstrap/stop-on-signal.js';
import { environmentSettings } from './config/environment.js';
import type { Settings } from './config/settings.js';
import { createLogger } from './logging/logger.js';

try {
  await start(environmentSettings());
} catch (error) {
  process.stderr.write(startProblem(error));
  process.exit(1);
}

async function start(settings: Settings): Promise<void> {
  const logger = createLogger(settings.logLevel);
  const lifecycle = new Lifecycle((error) => logger.error({ err: error }, 'Something did not end as it should.'));
  stopOnSignal(
    () => lifecycle.end(),
    () => logger.error('Stopping took too long. What was under way is taken up again after the next start.'),
  );
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Stopping because of an error that nobody expected.');
    void lifecycle.end().then(() => process.exit(1));
  });

  try {
    // Most of the application's modules load while the embedded database starts.
    const [infrastructure, { serve }] = await Promise.all([
      startInfrastructure(settings, lifecycle),
      import('./bootstrap/serve.js'),
    ]);
    const served = await serve(settings, infrastructure, lifecycle, logger);
    process.stdout.write(banner(served, settings, infrastructure.inbox !== undefined));
  } catch (error) {
    await lifecycle.end();
    throw error;
  }
}
