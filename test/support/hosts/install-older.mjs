import { installPackage } from './install-package.mjs';

export default (_, { globals }) => installPackage(globals.__GENERATION__);
