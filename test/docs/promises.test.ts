import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

interface ShownPromise {
  readonly number: number;
  readonly text: string;
  readonly shownBy: readonly { readonly file: string; readonly name: string }[];
  readonly commands: readonly string[];
}

const index = textOf('docs/why/promises.md');

/** The pages that the index leads to, in its order. */
const pages = [...index.matchAll(/^\[.+\]\((promises\/.+\.md)\):$/gm)].map(([, page = '']) => page);

/** The promises of the pages, in their order. */
const promises: ShownPromise[] = pages
  .map((page) => textOf(`docs/why/${page}`))
  .flatMap((page) => page.split(/^#{2,3} (?=\d+\. )/m).slice(1))
  .map((text) => ({
    number: Number.parseInt(text, 10),
    text,
    shownBy: [...text.matchAll(/^- Shown by \[.+\]\(\.\.\/\.\.\/\.\.\/(.+)\): `(.+)`$/gm)].map(
      ([, file = '', name = '']) => ({ file, name }),
    ),
    commands: [...text.matchAll(/^- Repeat: `(.+)`$/gm)].map(([, command = '']) => command),
  }));

/** Whether a file has this text as the whole of a string, in any quotes. */
const holdsName = (file: string, name: string) =>
  [`'${name.replaceAll("'", String.raw`\'`)}'`, `"${name}"`, `\`${name}\``].some((literal) =>
    textOf(file).includes(literal),
  );

test('the promises are numbered one after another, each with its limit', () => {
  assert.ok(promises.length > 20, `${promises.length} promises`);
  assert.deepEqual(
    promises.map(({ number }) => number),
    promises.map((_, at) => at + 1),
  );
  for (const { number, text } of promises) assert.match(text, /^- Limit: \S/m, `promise ${number}`);
});

test('the index lists each promise by its number and name', () => {
  const listed = [...index.matchAll(/^(\d+\. )\[(.+)\]\(promises\/.+\)$/gm)].map(
    ([, number, name]) => `${number}${name}`,
  );
  assert.deepEqual(
    listed,
    promises.map(({ text }) => text.split('\n', 1)[0]),
  );
});

test('each promise names tests that there are', () => {
  for (const { number, text, shownBy } of promises) {
    assert.ok(shownBy.length > 0, `promise ${number} is shown by no test`);
    assert.equal(shownBy.length, text.match(/^- Shown by/gm)?.length, `promise ${number} has a broken line`);
    for (const { file, name } of shownBy) {
      assert.match(file, /^test\/.+\.ts$/, `promise ${number}`);
      assert.ok(existsSync(new URL(file, ROOT)), `promise ${number} names ${file}`);
      assert.ok(holdsName(file, name), `promise ${number}: ${file} has no test "${name}"`);
    }
  }
});

test('each promise has a command that runs a test that there is, or a script of the package', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  for (const { number, commands, shownBy } of promises) {
    const isRunByEngines = shownBy.some(({ file }) => file.startsWith('test/core/storage/conformance/'));
    const runs = commands.some((command) => shownBy.some(({ file }) => command.endsWith(` ${file}`)));
    assert.ok(runs || isRunByEngines, `promise ${number}: no command runs a test that shows it`);
    for (const command of commands) {
      const [, script, file] = /^(?:npm run (\S+)|bin\/node --test (\S+))$/.exec(command) ?? [];
      assert.ok(
        script === undefined
          ? file !== undefined && existsSync(new URL(file, ROOT))
          : Object.hasOwn(scripts, script),
        `promise ${number}: ${command}`,
      );
    }
  }
});
