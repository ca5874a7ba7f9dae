import { TestEnvironment } from 'jest-environment-node';

/** Says in the global `testHasFailed` whether the current test failed, so that hooks can show what its pages showed. */
export default class EnvironmentOfPages extends TestEnvironment {
  handleTestEvent({ name }) {
    if (name === 'test_start') this.global.testHasFailed = false;
    if (name === 'test_fn_failure') this.global.testHasFailed = true;
  }
}
