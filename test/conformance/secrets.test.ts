import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secrets } from '../../src/conformance/secrets.ts';

test('a password that JSON writes otherwise is masked however often an answer quotes it', () => {
  const secrets = new Secrets();
  const password = 'correct "horse" battery\\';
  secrets.add('ana', password);
  let text = password;
  for (let times = 0; times <= 3; times += 1) {
    assert.doesNotMatch(secrets.masked(text), /horse/, `quoted ${times} times`);
    text = JSON.stringify(text);
  }
});
