import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';
import { shell } from '../faces/cli/command.ts';
import { DEPLOY, manifests, settingsIn, textOf } from './files.ts';

const all = manifests();
const MODELS = { Deployment, Job, NetworkPolicy, PodDisruptionBudget, Secret, Service };
const deployment = new Deployment(all.Deployment as never);
const pod = deployment.spec?.template.spec;
const container = pod?.containers[0];
assert.ok(pod && container);
const secrets = (all.Secret as { stringData: Record<string, string> }).stringData;

test('every manifest is of the form that Kubernetes asks for', () => {
  assert.deepEqual(Object.keys(all).sort(), [...Object.keys(MODELS), 'Kustomization'].sort());
  for (const [kind, Model] of Object.entries(MODELS)) new Model(all[kind] as never).validate();
  assert.throws(() =>
    new Deployment({ ...(all.Deployment as object), spec: { replica: 2 } } as never).validate(),
  );
});

test('the kustomization names every manifest that holds no secret and runs no command', () => {
  const { resources } = all.Kustomization as { resources: string[] };
  const others = ['kustomization.yaml', 'secret.example.yaml', 'command.yaml'];
  const files = readdirSync(join(DEPLOY, 'kubernetes')).filter((file) => !others.includes(file));
  assert.deepEqual([...resources].sort(), files.sort());
});

test('instances start with settings that there are, and read every secret from a file', async (t) => {
  const env = Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value]));
  const settings = await settingsIn(t, env, secrets);
  assert.equal(settings.database, secrets.database);
  assert.ok(settings.trustedProxies.length > 0);
  for (const proxy of settings.trustedProxies) assert.doesNotMatch(proxy, /\//, 'addresses one by one');
  assert.ok(settings.hosts.length > 0);
  const mount = container.volumeMounts?.find(({ name }) => name === 'secrets')?.mountPath;
  for (const [name, value] of Object.entries(env)) {
    if (['TESSERA_HOSTS', 'TESSERA_TRUSTED_PROXIES'].includes(name)) continue;
    assert.match(name, /_FILE$/);
    assert.ok(value.startsWith(`${mount}/`), value);
  }
});

test('an instance has the memory for as many hashes at once as it has cores', async (t) => {
  const { hashMemory } = await settingsIn(t, {}, {});
  const { cpu, memory } = (container.resources?.limits ?? {}) as Partial<Record<string, string>>;
  const mebibytes = Number(/^(\d+)Mi$/.exec(memory ?? '')?.[1]);
  assert.ok(mebibytes >= 256 + (Number(cpu) * hashMemory) / 1_024, `${cpu} cores, ${memory}`);
});

test('an instance is asked for its readiness on the port that tells it, and has time to stop', async (t) => {
  const settings = await settingsIn(t, {}, {});
  const ports = Object.fromEntries(
    (container.ports ?? []).map(({ name = '', containerPort }) => [name, containerPort]),
  );
  assert.deepEqual(ports, { http: settings.port, metrics: settings.metricsPort });
  assert.deepEqual(container.readinessProbe?.httpGet, { path: '/health/ready', port: 'metrics' });
  assert.deepEqual(container.livenessProbe?.httpGet, { path: '/health/live', port: 'metrics' });
  const asleep = Number(container.lifecycle?.preStop?.exec?.command?.[1]);
  assert.ok((pod.terminationGracePeriodSeconds ?? 0) * 1_000 > asleep * 1_000 + settings.stopDeadline);
});

test('a pod runs without rights, without a token, and without variables that the cluster puts there', () => {
  assert.equal(pod.enableServiceLinks, false);
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.securityContext?.runAsNonRoot, true);
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('nobody reaches a port whose namespace is not named: what the ingress says is believed, and metrics have no credential', () => {
  const { spec } = new NetworkPolicy(all.NetworkPolicy as never);
  const reached = (spec?.ingress ?? []).flatMap(({ from = [], ports = [] }) =>
    ports.map(({ port }) => [port, from.length]),
  );
  assert.deepEqual(reached, [
    ['http', 1],
    ['metrics', 1],
  ]);
});

test('a command runs as an instance does, with its settings, and gets none of its requests', () => {
  const { template } = new Job(all.Job as never).spec ?? assert.fail();
  const [command, ...more] = template.spec?.containers ?? [];
  assert.equal(more.length, 0);
  const { args: _, ...ofCommand } = command ?? assert.fail();
  const { ports, readinessProbe, livenessProbe, startupProbe, lifecycle, resources, ...ofInstance } =
    container;
  assert.deepEqual(ofCommand, ofInstance);
  const { restartPolicy, containers, ...podOfCommand } = template.spec ?? assert.fail();
  const { terminationGracePeriodSeconds, topologySpreadConstraints, containers: __, ...podOfInstance } = pod;
  assert.deepEqual(podOfCommand, podOfInstance);
  assert.equal(template.metadata?.labels, undefined);
});

test('the words that the README gives a command are such', async () => {
  const readme = textOf('README.md');
  const [, filled = ''] = /(sed ".*" deploy\/kubernetes\/command\.yaml) \|/.exec(readme) ?? [];
  const given = await Promise.all(
    [...readme.matchAll(/\brun ('[^']+')/g)].map(async ([, words]) => {
      const { stdout } = await shell(`set -- ${words}; ${filled}`, { cwd: join(DEPLOY, '..') });
      const job = new Job(parse(stdout));
      job.validate();
      return job.spec?.template.spec?.containers[0]?.args ?? [];
    }),
  );
  assert.deepEqual(given, [
    ['migrate', 'up'],
    ['tickets', 'revoke', '--all'],
  ]);
});
