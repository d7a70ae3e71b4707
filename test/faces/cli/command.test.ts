import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shell } from './command.ts';

test('a program that hangs is ended and reported, and not taken for one that has finished', async () => {
  await assert.rejects(shell('exec sleep 600', { patience: 100 }), /sleep 600 took over 100 ms/);
});
