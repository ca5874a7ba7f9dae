import { beginInstallation } from './begin-installation.mjs';

export default (_, { globals }) => beginInstallation(globals.__GENERATION__);
