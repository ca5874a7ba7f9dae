import { nameOfPause } from './name-of-pause';

it.each([
  [{}, 'All mail'],
  [{ account: 'acme\u202e' }, 'Account acme\ufffd'],
  [{ topic: '0198' }, 'Topic 0198'],
  [{ template: 'welcome' }, 'Template welcome'],
  [{ transport: 'relay:25' }, 'All mail, through relay:25'],
  [{ account: 'acme', transport: 'relay:25' }, 'Account acme, through relay:25'],
])('a pause of %j is %s', (target, name) => {
  expect(nameOfPause(target)).toBe(name);
});
