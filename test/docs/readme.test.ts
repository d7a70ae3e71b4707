import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const PEERS = /<!-- peers -->[\s\S]*<!-- \/peers -->/.exec(textOf('docs/performance.md'))?.[0] ?? '';

/** The validations a second of a service, with the two leading digits that the README gives. */
function validationsOf(service: string): string {
  const row = PEERS.split('\n').find((line) => line.startsWith(`| ${service} |`));
  const measured = row?.split('|')[2]?.replace(',', '') ?? assert.fail(`no row of ${service}`);
  return Number(Number(measured).toPrecision(2)).toLocaleString('en-US');
}

test('the figures of the README are those of the table of services', () => {
  const readme = textOf('README.md').replace(/\s+/g, ' ');
  const sentence = [
    `${validationsOf('Tessera')} validations a second,`,
    `where better-auth gives ${validationsOf('better-auth, SQLite')}`,
    `(${validationsOf('better-auth, SQLite, cookie cache')} with its cookie cache),`,
    `parse-server ${validationsOf('parse-server, PostgreSQL')}`,
    `and oidc-provider ${validationsOf('oidc-provider, introspection')}.`,
  ].join(' ');
  assert.ok(readme.includes(sentence), `README.md does not say: ${sentence}`);
});
