import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
}

interface Bill {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly unknown[];
  }[];
}

const read = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** The schemas of CycloneDX, as its makers publish them. */
const schema = (name: string) =>
  read<object>(
    fileURLToPath(new URL('../../node_modules/@cyclonedx/cyclonedx-library/res/schema', import.meta.url)),
    `${name}.SNAPSHOT.schema.json`,
  );

function assertValid(bill: Bill): void {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  // No package here checks these two formats of JSON Schema.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.5'));
  assert.ok(validate(bill), JSON.stringify(validate.errors, null, 2));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const sha512 = (integrity = '') => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');

/** Asserts that the unpacked package tells of each package that the checkout's lock brings for the service, and of no other. */
export function assertSuppliesTold(tessera: string): void {
  const checkout = fileURLToPath(new URL('../../', import.meta.url));
  const locked = Object.entries(
    read<{ packages: Readonly<Record<string, { dev?: boolean; version: string; integrity: string }>> }>(
      checkout,
      'package-lock.json',
    ).packages,
  ).filter(([path, { dev }]) => path !== '' && dev !== true && !path.includes('/node-linux-'));
  assert.ok(locked.length > 100);
  const wanted = [
    ...new Set(
      locked.map(([path, { version, integrity }]) => `${nameOf(path)} ${version} ${sha512(integrity)}`),
    ),
  ].sort();

  const { '': root, ...packages } = read<Lock>(tessera, 'npm-shrinkwrap.json').packages;
  const shrunk = Object.entries(packages).map(
    ([path, { version, integrity }]) => `${nameOf(path)} ${version} ${sha512(integrity)}`,
  );
  assert.deepEqual([...new Set(shrunk)].sort(), wanted);

  const bill = read<Bill>(tessera, 'sbom.cdx.json');
  assertValid(bill);
  const { version } = read<{ version: string }>(tessera, 'package.json');
  assert.deepEqual([bill.metadata.component.name, bill.metadata.component.version], ['tessera', version]);
  const told = bill.components.map(({ name, version, hashes }) => `${name} ${version} ${hashes[0]?.content}`);
  assert.deepEqual(told.sort(), wanted);
  for (const { name, licenses } of bill.components) assert.equal(licenses?.length, 1, name);

  const notices = readFileSync(join(tessera, 'THIRD-PARTY-NOTICES.md'), 'utf8');
  const headings = [...notices.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(headings.sort(), wanted.map((line) => line.split(' ').slice(0, 2).join(' ')).sort());
  assert.match(notices, /^ {4}MIT License$/m);
  assert.match(notices, /^ {4}Copyright \(c\) .*Fastify/m);
}
