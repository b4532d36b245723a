import { expect, it } from 'vitest';
import { isMissingCode } from './missing-code.ts';

it.each([
  ['Failed to fetch dynamically imported module: http://127.0.0.1/assets/editing-1.js', true],
  ['error loading dynamically imported module: http://127.0.0.1/assets/editing-1.js', true],
  ['Importing a module script failed.', true],
  ['Unable to preload CSS for /assets/editing-1.css', true],
  ['Failed to fetch', false],
  ['The server does not answer.', false],
])('%s', (message, expected) => {
  expect(isMissingCode(new TypeError(message))).toBe(expected);
});
