import { DESTINATION_CLASSES, destinationClass } from './destination-class.js';

it.each([
  ['ann@gmail.com', 'google'],
  ['ann@GMail.com', 'google'],
  ['"@gmail.com"@ann.example', 'other'],
  ['ann@hotmail.co.uk', 'microsoft'],
  ['ann@outlook.de', 'microsoft'],
  ['ann@yahoo.co.jp', 'yahoo'],
  ['ann@icloud.com', 'apple'],
  ['ann@me.com', 'apple'],
  ['ann@notgmail.com', 'other'],
  ['ann@gmail.com.example', 'other'],
  ['', 'other'],
])('%s is %s', (address, expected) => {
  expect(destinationClass(address)).toBe(expected);
  expect(DESTINATION_CLASSES).toContain(expected);
});
