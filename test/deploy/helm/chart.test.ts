import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { manifests, settingsIn } from '../files.ts';
import { CHART, chartFile, merged, rendered, type Values, whyNoRenderer } from './chart.ts';

const MODELS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};

interface EnvVar {
  readonly name: string;
}

/** Values that turn on everything that is off. */
const EVERYTHING: Values = {
  image: { repository: 'registry.example.org/tessera', tag: '0.1.1' },
  pullSecrets: ['registry'],
  settings: { TESSERA_GATE_RULES: null, TESSERA_LOG_LEVEL: 'warn', TESSERA_SCIM: null },
  documents: {
    TESSERA_GATE_RULES: { rules: [{ path: '/a "b"/*', allow: 'all' }] },
    TESSERA_PROVIDERS: '{"providers": []}',
  },
  service: { annotations: { 'example.org/a': 'b' } },
  ingress: {
    ...{ enabled: true, className: 'nginx', hosts: ['tessera.example.org', 'login.example.org'] },
    ...{ annotations: { 'example.org/a': 'true' }, tlsSecret: 'certificate' },
  },
  autoscaling: { enabled: true },
  monitor: { enabled: true, labels: { release: 'prometheus' } },
  podAnnotations: { 'example.org/a': '1' },
  podLabels: { team: 'accounts' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
};

const skip = whyNoRenderer() ?? false;

function assertValid(all: Record<string, unknown>): void {
  for (const [kind, Model] of Object.entries(MODELS))
    if (kind in all) new Model(all[kind] as never).validate();
}

/** What a release adds to a manifest, and the defaults of Kubernetes that a chart writes out. */
const ADDED = ['labels', 'matchLabels', 'selector', 'annotations'];
const DEFAULTS = ['IfNotPresent', 'ClusterIP'];

/** A manifest without these additions, with its variables by name. */
const bare = (manifest: unknown): unknown =>
  JSON.parse(JSON.stringify(manifest), (name, value) => {
    if (ADDED.includes(name) || DEFAULTS.includes(value)) return undefined;
    return name === 'env' ? value.toSorted((a: EnvVar, b: EnvVar) => (a.name < b.name ? -1 : 1)) : value;
  });

test('with its own values the chart makes what deploy/kubernetes has', { skip }, () => {
  const made = rendered();
  assert.deepEqual(Object.keys(made).sort(), [
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ]);
  assertValid(made);
  const plain = manifests();
  for (const kind of Object.keys(made)) assert.deepEqual(bare(made[kind]), bare(plain[kind]), kind);
});

test('with everything turned on it makes what Kubernetes takes', { skip }, () => {
  const made = rendered(EVERYTHING);
  assertValid(made);
  assert.deepEqual(Object.keys(made).sort(), [...Object.keys(MODELS), 'PodMonitor'].sort());
  const deployment = new Deployment(made.Deployment as never);
  assert.equal(deployment.spec?.replicas, undefined);
  const pod = deployment.spec?.template;
  assert.equal(pod?.spec?.containers[0]?.image, 'registry.example.org/tessera:0.1.1');
  assert.equal(pod?.metadata?.labels?.team, 'accounts');
  const selector = Object.entries(deployment.spec?.selector?.matchLabels ?? {});
  assert.ok(selector.length > 0);
  for (const manifest of [made.Service, made.PodMonitor, made.PodDisruptionBudget])
    for (const [name, value] of selector) {
      assert.equal(pod?.metadata?.labels?.[name], value);
      assert.ok(JSON.stringify(manifest?.spec).includes(JSON.stringify({ [name]: value }).slice(1, -1)));
    }
  const { rules = [], tls = [] } = new Ingress(made.Ingress as never).spec ?? {};
  assert.deepEqual(
    rules.map(({ host }) => host),
    tls[0]?.hosts,
  );
});

test('a document is mounted where its setting names it, and a changed one makes new pods', { skip }, () => {
  const made = rendered(EVERYTHING);
  const { data = {} } = new ConfigMap(made.ConfigMap as never);
  assert.deepEqual(JSON.parse(data['gate-rules.json'] ?? ''), {
    rules: [{ path: '/a "b"/*', allow: 'all' }],
  });
  assert.equal(data['providers.json'], '{"providers": []}');
  const podOf = (all: Record<string, unknown>) => new Deployment(all.Deployment as never).spec?.template;
  const [container] = podOf(made)?.spec?.containers ?? [];
  const rules = container?.env?.find(({ name }) => name === 'TESSERA_GATE_RULES')?.value;
  const mounted = container?.volumeMounts?.find(({ name }) => name === 'documents')?.mountPath;
  assert.equal(rules, `${mounted}/gate-rules.json`);
  const changed = rendered(merged(EVERYTHING, { documents: { TESSERA_PROVIDERS: '{}' } }));
  assert.notDeepEqual(podOf(changed)?.metadata?.annotations, podOf(made)?.metadata?.annotations);
});

test('the names and labels of two releases in one namespace differ', { skip }, () => {
  const names = readdirSync(join(CHART, 'templates'));
  assert.ok(names.includes('_names.tpl'));
  for (const file of names.filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(join(CHART, 'templates', file), 'utf8');
    assert.match(text, /^ {2}name: \{\{ include "tessera\.name" \. \}\}/m, file);
  }
});

test('each value is used by a template, and each value that a template uses is there', () => {
  const values = chartFile<Record<string, Values | string>>('values.yaml');
  const templates = readdirSync(join(CHART, 'templates')).map((file) =>
    readFileSync(join(CHART, 'templates', file), 'utf8'),
  );
  const used = new Set(
    templates.flatMap((text) => [...text.matchAll(/\.Values\.([a-zA-Z.]+)/g)].map(([, path]) => path)),
  );
  const WHOLE = [
    'settings',
    'documents',
    'resources',
    'podAnnotations',
    'podLabels',
    'nodeSelector',
    'affinity',
  ];
  const paths = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value) && !WHOLE.includes(name)
      ? Object.keys(value).map((member) => `${name}.${member}`)
      : [name],
  );
  assert.deepEqual([...used].sort(), paths.sort());
});

test('values of the wrong shape are refused before anything is made', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
  const isValid = new Ajv({ strict: false }).compile(schema);
  const own = chartFile<Values>('values.yaml');
  assert.ok(isValid(own), JSON.stringify(isValid.errors));
  assert.ok(isValid(merged(own, EVERYTHING)), JSON.stringify(isValid.errors));
  for (const wrong of [
    { replica: 3 },
    { settings: { TESSERA_ADMIN_PASSWORD: 'river' } },
    { settings: { TESSERA_DATABASE: 'postgres://tessera:river@db/tessera' } },
    { settings: { TESSERA_TICKETS: 'redis://:river@redis' } },
    { settings: { LOG_LEVEL: 'warn' } },
    { ingress: { enabled: true } },
    { stop: { deadline: '30' } },
  ])
    assert.equal(isValid(merged(own, wrong)), false, JSON.stringify(wrong));
});

test('the chart names settings that there are, and the version of the service', async (t) => {
  const { settings, secret } = chartFile<{
    settings: Record<string, string>;
    secret: { keys: Record<string, string> };
  }>('values.yaml');
  const files = Object.fromEntries(
    Object.entries(secret.keys).map(([name, key]) => [name, `/run/secrets/${key}`]),
  );
  const plain = (manifests().Secret as { stringData: Record<string, string> }).stringData;
  const read = await settingsIn(t, { ...settings, ...files }, plain);
  assert.deepEqual(read.hosts, ['tessera.example.org']);
  const { version } = JSON.parse(readFileSync(join(CHART, '../../../package.json'), 'utf8'));
  const chart = chartFile<Record<string, string>>('Chart.yaml');
  assert.deepEqual([chart.version, chart.appVersion, chart.apiVersion], [version, version, 'v2']);
});
