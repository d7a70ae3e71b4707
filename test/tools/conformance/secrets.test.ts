import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secrets } from '../../../src/tools/conformance/secrets.ts';

test('a password that JSON escapes is masked, also when an answer quotes it several times', () => {
  const secrets = new Secrets();
  const password = 'correct "horse" battery\\';
  secrets.add('ana', password);
  let text = password;
  for (let times = 0; times <= 3; times += 1) {
    assert.doesNotMatch(secrets.masked(text), /horse/, `quoted ${times} times`);
    text = JSON.stringify(text);
  }
});

test('a password that XML or HTML escapes is masked, with every escape of quotes', () => {
  const secrets = new Secrets();
  secrets.add('ana', `tom & "jerry's" <house>`);
  for (const echo of [
    'tom &amp; "jerry\'s" &lt;house&gt;',
    'tom &amp; &quot;jerry&#39;s&quot; &lt;house&gt;',
    'tom &amp; &#34;jerry&#x27;s&#34; &lt;house&gt;',
    'tom &amp; &quot;jerry&apos;s&quot; &lt;house&gt;',
  ])
    for (const text of [echo, JSON.stringify(echo)])
      assert.doesNotMatch(secrets.masked(text), /tom|jerry|house/, text);
});

test('a password that begins with another password is masked whole', () => {
  const secrets = new Secrets();
  secrets.add('ana', 'Probe-1');
  secrets.add('bob', 'Probe-12');
  assert.equal(secrets.masked('Probe-12 and Probe-1'), '*** and ***');
});
