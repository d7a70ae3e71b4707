import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { commandLine } from '../../../src/main/command-line.ts';
import { SETTINGS } from '../../../src/main/settings.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules'] })
    .map((file) => readFileSync(`${ROOT}${file}`, 'utf8'))
    .join('\n');

const PAGES = textOf('README.md', 'docs/{start,how-to,reference}/*.md', 'docs/*.md', 'deploy/*.md');
/** The commands in the tests, as shells and programs write them. */
const RUN = textOf('test/faces/cli/**/*.txt', 'test/**/*.ts').replace(/'\s*,\s*'|\[\s*'/g, ' ');
const OF_SETTINGS: readonly string[] = ['--config', ...SETTINGS.keys.map((key) => SETTINGS.flagOf(key))];

/** Every command that does something, with its words. */
function* commandsBelow(command: Command, words: readonly string[] = []): Generator<[string, Command]> {
  if (command.commands.length === 0) yield [words.join(' '), command];
  for (const child of command.commands) yield* commandsBelow(child, [...words, child.name()]);
}

const { env, stdin, stdout, stderr } = process;
const commands = [...commandsBelow(await commandLine([], { env, stdin, stdout, stderr }))];
const flagsOf = ({ options }: Command) =>
  options.flatMap(({ long }) => (long === undefined || OF_SETTINGS.includes(long) ? [] : [long]));

test('every command, and every flag that is its own, stands on a page', () => {
  assert.ok(commands.length > 20);
  for (const [words, command] of commands)
    for (const told of [words, ...flagsOf(command)])
      assert.match(PAGES, new RegExp(`${told}(?![a-z-])`), `tessera ${words}: no page has ${told}`);
});

test('every command, and every flag that is its own, is run by a test', () => {
  for (const [words, command] of commands)
    for (const ran of [words, ...flagsOf(command)])
      assert.match(
        RUN,
        new RegExp(`${ran}(?![a-z-])`),
        `tessera ${words}: no test or transcript runs ${ran}`,
      );
});
