import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { defectsOf } from '../../tools/reproduce/defects.ts';
import { git, whyNoHistory } from '../../tools/reproduce/history.ts';

const ROOT = join(import.meta.dirname, '../..');
const defects = defectsOf(ROOT);

/** Characters that a name has at least, beside the parts of a template: with fewer it could be any name. */
const LEAST = 10;

/**
 * The names of tests that a text may give, each as an expression: a part of a template may be anything. Each stands in one
 * line, so that an odd quote in another line hides none.
 */
function namesIn(text: string): RegExp[] {
  const literals = text.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`([^`\n]+)`/g);
  const names = [...literals].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll("\\'", "'").split(/\$\{.+?\}/s),
  );
  return names
    .filter((parts) => parts.join('').length >= LEAST)
    .map((parts) => {
      const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
      return new RegExp(`^${escaped.join('.+')}$`, 's');
    });
}

test('the table has at least 25 defects, none of them twice', () => {
  assert.ok(defects.length >= 25, `${defects.length} defects`);
  const tests = defects.map(({ mend, file, name }) => `${mend} ${file} ${name}`);
  assert.deepEqual(
    tests.filter((each, at) => tests.indexOf(each) !== at),
    [],
  );
});

test('each mend is in the history of this checkout, and brought the test that the table names', async (t) => {
  const why = await whyNoHistory(ROOT);
  if (why !== undefined) return t.skip(why);
  const history = await git(ROOT, 'rev-list', 'HEAD');
  for (const { mend, name } of defects) {
    assert.match(history, new RegExp(`^${mend}`, 'm'), `${mend} is not in the history of this checkout`);
    const brought = await git(ROOT, 'show', '--format=', '--unified=1000', mend, '--', 'test/');
    const isBrought = namesIn(brought).some((pattern) => pattern.test(name));
    assert.ok(isBrought, `${mend} brought no test "${name}"`);
  }
});
