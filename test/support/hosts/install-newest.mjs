import { beginInstallation } from './begin-installation.mjs';

export default () => beginInstallation('newest');
