import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RefusalCode } from '../../src/core/domain/refusal.ts';
import { MEDIA_TYPES } from '../../src/core/http/formats.ts';
import { STATUS } from '../../src/core/http/status.ts';
import { type Format, formatsOf } from '../../src/core/representations/representation.ts';
import { operations } from '../../src/main/operations.ts';
import { openMemory } from '../engines/memory/open.ts';
import { startTestService } from '../service/start.ts';
import { ask } from '../service/talk.ts';
import { CIRCUMSTANCES, type Example, exampleOf, refusedCallsOf, urlOf } from './examples.ts';
import { valuesIn } from './values.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
/** A password hash, or the digest of a ticket or a client's secret, as stores keep them. */
const KEPT_SECRET = /\$argon2id\$|\b[0-9a-f]{64}\b/;
/** A page may repeat a value. */
const once = (values: string[]) => [...new Set(values)];

test('every file below a folder operations/ is an operation whose id is its path, and the list has them all', async () => {
  const files = globSync('**/operations/**/*.ts', { cwd: SRC });
  for (const file of files) {
    const { default: operation } = await import(join(SRC, file));
    assert.equal(operation.id, `org/service/repository/${file.replace(/^.*?\boperations\/|\.ts$/g, '')}`);
    assert.ok(operations.includes(operation), `${operation.id} is missing in main/operations.ts`);
  }
  assert.equal(operations.length, files.length);
});

test('no two operations answer the same method at the same path', () => {
  const places = operations.flatMap(({ method, paths, api }) =>
    paths.map((path) => `${api?.name ?? ''} ${method} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  assert.deepEqual(places, [...new Set(places)]);
});

test('the default format is one of those offered', () => {
  for (const { id, output, defaultFormat } of operations)
    assert.ok(formatsOf(output).includes(defaultFormat), id);
});

test('a login, and no other operation, declares what the gate refuses of one', () => {
  for (const { id, takesPassword, refusals } of operations) {
    assert.equal(refusals.includes('cross_site_login'), takesPassword !== undefined, id);
    assert.equal(refusals.includes('login_by_get_off'), takesPassword === 'url', id);
  }
});

/** The same request without any credential. */
function unknown({ path, query, init }: Example): Example {
  const { alf_ticket: _, ...rest } = query ?? {};
  const { headers: __, ...bare } = init ?? {};
  return { path, query: rest, init: bare };
}

for (const operation of operations) {
  const { id, defaultFormat, output, formatStyle, answers = 200, api } = operation;
  const homeOf = ({ url }: { url: string }) => url + (api?.basePaths?.[0] ?? '');
  const isEmpty = output.isEmpty === true;
  const typeOf = (format: Format) => (isEmpty ? null : MEDIA_TYPES[format]);

  // One service for all of them: to start another takes longer than to ask.
  test(`${id} answers as it declares`, async (t) => {
    const service = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);

    await t.test(
      `${id}: level ${operation.authentication} ${operation.authentication === 'none' ? 'asks for no credential' : 'answers 401 without its credential'}`,
      async () => {
        const example = await exampleOf(operation, service);
        const { status } = await ask(urlOf(homeOf(service), unknown(example)), unknown(example).init);
        assert.equal(status, operation.authentication === 'none' ? answers : 401);
      },
    );

    await t.test(
      `${id}: answers in ${defaultFormat} when none is asked for, under every base path`,
      async () => {
        for (const base of api?.basePaths ?? service.settings.basePaths) {
          const example = await exampleOf(operation, service);
          const { status, headers } = await ask(urlOf(service.url + base, example), example.init);
          assert.equal(status, answers);
          assert.equal(headers.get('content-type'), typeOf(defaultFormat));
        }
      },
    );

    await t.test(
      `${id}: carries the same values in each of its formats, by argument${formatStyle === 'any' ? ' and by extension' : ''}`,
      async () => {
        const seen: { format: Format; values: string[] }[] = [];
        const collect = async (format: Format, url: string, init: RequestInit | undefined) => {
          const { status, text, headers } = await ask(url, init);
          assert.equal(status, answers, text);
          assert.equal(headers.get('content-type'), typeOf(format));
          assert.equal(text === '', isEmpty);
          assert.doesNotMatch(text, KEPT_SECRET);
          const values = isEmpty ? [] : valuesIn(text, format);
          if (values !== undefined) seen.push({ format, values });
        };
        for (const format of formatsOf(output)) {
          const byArgument = await exampleOf(operation, service);
          await collect(format, urlOf(homeOf(service), byArgument, format), byArgument.init);
          if (formatStyle !== 'any') continue;
          const byExtension = await exampleOf(operation, service);
          const path = `${byExtension.path}.${format}`;
          await collect(format, urlOf(homeOf(service), { ...byExtension, path }), byExtension.init);
        }
        const [first] = seen;
        for (const { format, values } of seen) {
          const isPage = format === 'html' || first?.format === 'html';
          const same = isPage ? once : (all: string[]) => all;
          assert.deepEqual(same(values), same(first?.values ?? []));
        }
      },
    );

    const formatLaw = operation.anyRequest
      ? 'reads no format: the argument belongs to another service'
      : 'refuses a format that is not offered, naming those that are';
    await t.test(`${id}: ${formatLaw}`, async () => {
      const example = await exampleOf(operation, service);
      const { status, text } = await ask(urlOf(homeOf(service), example, 'toml'), example.init);
      assert.equal(status, operation.anyRequest ? answers : 406);
      if (operation.anyRequest) return;
      for (const format of formatsOf(output)) assert.match(text, new RegExp(`\\b${format}\\b`));
    });
  });

  test(`${id}: each refusal that it declares can be had`, async (t) => {
    const calls = refusedCallsOf(operation);
    const missing = 'give each refusal of the descriptor, and no other, a call in REFUSED of examples.ts';
    assert.deepEqual(Object.keys(calls).sort(), [...operation.refusals].sort(), missing);
    for (const [code, make] of Object.entries(calls)) {
      const { env, atOnce = 1 } = CIRCUMSTANCES[code] ?? { env: {} };
      const service = await startTestService(t, { TESSERA_INDEX: 'public', ...env }, openMemory);
      const example = await make(service);
      const asked = Array.from({ length: atOnce }, () => ask(urlOf(homeOf(service), example), example.init));
      const refused = (await Promise.all(asked)).filter(
        ({ status }) => status === STATUS[code as RefusalCode],
      );
      assert.notEqual(refused.length, 0, `${code} was not seen`);
      const outcome = new RegExp(`"outcome":"${code}"`);
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(
        service.lines.some((line) => outcome.test(line)),
        `${code} was not the outcome`,
      );
    }
  });
}
