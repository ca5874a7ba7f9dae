/**
 * Runs code from its parent process with the host's data source as `dataSource`, each piece on a separate data source.
 */
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../apps/host/dist/database/data-source-options.js';

const AsyncFunction = (async () => {}).constructor;

async function run(url, code) {
  const dataSource = await new DataSource(dataSourceOptions(url)).initialize();
  try {
    return await new AsyncFunction('dataSource', code)(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

process.on('message', async ({ id, url, code }) => {
  try {
    process.send({ id, value: await run(url, code) });
  } catch (error) {
    process.send({ id, error: { ...error, name: error.name, message: error.message } });
  }
});
