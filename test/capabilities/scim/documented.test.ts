import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startScim } from './scim.ts';

/** A request as a client is documented to send it, and what the answer has to have. */
interface Documented {
  readonly does: string;
  readonly ask: string;
  readonly body?: object;
  readonly status: number;
  readonly has?: object;
  readonly lacks?: readonly string[];
  /** Members of the answer that later requests name. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** Asserts that `actual` has every member of `expected`, and of each list its first values. */
function assertHas(actual: unknown, expected: unknown, about: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.deepEqual(actual, expected, about);
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null, `${about}: it is missing`);
  if (Array.isArray(expected) && expected.length === 0) assert.deepEqual(actual, [], about);
  for (const [name, value] of Object.entries(expected))
    assertHas((actual as Record<string, unknown>)[name], value, `${about}: ${name}`);
}

for (const file of ['entra/users', 'entra/groups', 'okta/users', 'okta/groups']) {
  test(`the requests of ${file} are answered as their documentation says`, async (t) => {
    const { ask } = await startScim(t);
    const text = readFileSync(new URL(`${file}.json`, import.meta.url), 'utf8');
    const kept: Record<string, string> = {};
    const filled = (given: string) => given.replace(/\{(\w+)\}/g, (whole, name) => kept[name] ?? whole);
    for (const each of JSON.parse(text) as Documented[]) {
      const request = JSON.parse(filled(JSON.stringify(each))) as Documented;
      const answer = await ask(request.ask, request.body);
      assert.equal(answer.status, request.status, `${request.does}: ${JSON.stringify(answer.body)}`);
      assertHas(answer.body, request.has ?? answer.body, request.does);
      for (const name of request.lacks ?? []) assert.ok(!(name in answer.body), `${request.does}: ${name}`);
      if (answer.body !== undefined)
        assert.match(answer.headers.get('content-type') ?? '', /^application\/scim\+json/, request.does);
      for (const [as, name] of Object.entries(each.keep ?? {})) kept[as] = answer.body[name];
    }
  });
}
