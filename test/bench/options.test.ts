import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions, WrongUsage } from '../../bench/options.ts';
import { readScaleOptions } from '../../bench/scale/main.ts';

const KNOWN = ['validate', 'login'];

test('--report takes every row, with at least seven rounds', () => {
  assert.deepEqual(readOptions(['--report'], KNOWN).rows, KNOWN);
  assert.equal(readOptions(['--rounds', '9', '--report'], KNOWN).rounds, 9);
  for (const words of [['validate'], ['--rounds', '6'], ['--peers', '--rounds', '1']])
    assert.throws(() => readOptions([...words, '--report'], KNOWN), /--report writes every row, of 7 rounds/);
});

test('without --report, some rows and fewer rounds are allowed', () => {
  const { rows, rounds } = readOptions(['login', '--rounds', '1'], KNOWN);
  assert.deepEqual({ rows, rounds }, { rows: ['login'], rounds: 1 });
  assert.throws(() => readOptions(['logon'], KNOWN), /no row is called "logon": there are validate, login/);
});

test('bench scale refuses wrong options', () => {
  for (const words of [
    ['--seconds', 'abc'],
    ['--tickets', '9'],
    ['--engines', 'mysql'],
    ['--fast'],
    ['word'],
  ])
    assert.throws(() => readScaleOptions(words), WrongUsage, words.join(' '));
  assert.equal(readScaleOptions(['--seconds', '2']).seconds, 2);
});
