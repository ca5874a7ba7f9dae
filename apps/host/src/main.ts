import 'reflect-metadata';
import { banner } from './bootstrap/banner.js';
import { databaseWatcher } from './bootstrap/database-watcher.js';
import { startInfrastructure } from './bootstrap/infrastructure.js';
import { Lifecycle } from './bootstrap/lifecycle.js';
import { startProblem } from './bootstrap/start-problem.js';
import { stopOnSignal, stopWith } from './bootstrap/stop-on-signal.js';
import { environmentSettings } from './config/environment.js';
import type { Settings } from './config/settings.js';
import { createLogger } from './operations/logging/logger.js';

try {
  await start(environmentSettings());
} catch (error) {
  process.stderr.write(startProblem(error));
  process.exit(1);
}

async function start(settings: Settings): Promise<void> {
  const logger = createLogger(settings.logLevel);
  const lifecycle = new Lifecycle((error) => logger.error({ err: error }, 'A service did not stop as it should.'));
  const ending = {
    stop: () => lifecycle.end(),
    onLimit: () => logger.error('Stopping took too long. Unfinished work is resumed after the next start.'),
    drainDelay: settings.drainDelay,
  };
  stopOnSignal(ending);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'Stopping because of an unexpected error.');
    stopWith(1, ending);
  });
  const watcher = databaseWatcher(logger, settings.dataDir, () => stopWith(1, ending));

  try {
    const { otlpEndpoint } = settings;
    if (otlpEndpoint !== undefined) {
      const { startTracing } = await import('./operations/tracing/start-tracing.js');
      // Started first, so that it stops last, with the last messages of the others.
      await lifecycle.start(
        async () => startTracing(otlpEndpoint),
        (tracing) => tracing.shutdown(),
      );
    }
    // Most of the application's modules load while the embedded database starts.
    const [infrastructure, { serve }, { AppModule }] = await Promise.all([
      startInfrastructure(settings, lifecycle, watcher),
      import('./bootstrap/serve.js'),
      import('./app.module.js'),
    ]);
    const module = () => AppModule.register(settings, infrastructure, logger);
    const served = await serve({ settings, infrastructure, logger, module }, lifecycle);
    process.stdout.write(banner(served, settings, infrastructure.inbox !== undefined));
  } catch (error) {
    await lifecycle.end();
    throw error;
  }
}
