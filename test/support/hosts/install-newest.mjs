import { installPackage } from './install-package.mjs';

export default () => installPackage('newest');
