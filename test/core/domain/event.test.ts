import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { COMMAND_LINE } from '../../../src/core/domain/event.ts';

test('a change from the command line differs from one from an address', () => {
  assert.equal(isIP(COMMAND_LINE), 0);
  assert.doesNotMatch(COMMAND_LINE, /[.:/]/);
});
