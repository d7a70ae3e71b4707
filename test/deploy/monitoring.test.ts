import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { certificateFiles, tlsSettings } from '../service/certified.ts';
import { freePort } from '../service/free-port.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../service/start.ts';
import { DEPLOY, documentsIn, textOf } from './files.ts';

const TOOL = '/usr/bin/promtool';
const run = promisify(execFile);

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const [rules] = documentsIn('monitoring/rules.yaml') as [{ groups: { rules: AlertRule[] }[] }];
const alerts = rules.groups.flatMap((group) => group.rules);
const dashboard: { panels: Panel[] } = JSON.parse(textOf('monitoring/dashboard.json'));
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
/** The expressions of the dashboard, with a value for each of its variables. */
const shown = panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)/g, 'x'));

/** Why promtool cannot be asked here; with TESSERA_TEST_ALL=1 that is a failure. */
function whyNot(): string | undefined {
  if (existsSync(TOOL)) return undefined;
  const why = `no ${TOOL} (Debian: apt-get install prometheus); TESSERA_TEST_ALL=1 makes that a failure`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

test('each alert fires, it alone, in a case of its own, and none while all is well', async (t) => {
  const why = whyNot();
  if (why !== undefined) return t.skip(why);
  await run(TOOL, ['check', 'rules', 'rules.yaml'], { cwd: join(DEPLOY, 'monitoring') });
  await run(TOOL, ['test', 'rules', 'rules.test.yaml'], { cwd: join(DEPLOY, 'monitoring') });
  const [{ tests }] = documentsIn('monitoring/rules.test.yaml') as [{ tests: { name: string }[] }];
  const cases = tests.map(({ name }) => name).slice(1);
  assert.deepEqual(
    cases,
    alerts.map(({ alert }) => alert),
  );
});

test('each expression of the dashboard is one that Prometheus can read', async (t) => {
  const why = whyNot();
  if (why !== undefined) return t.skip(why);
  const file = join(await temporaryFolder(t), 'shown.json');
  const recorded = shown.map((expr, at) => ({ record: `shown_${at}`, expr }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'shown', rules: recorded }] }));
  await run(TOOL, ['check', 'rules', file]);
});

/** The metrics of a service that has every metric: with TLS, a directory and a receiver of webhooks, after a login. */
async function served(t: TestContext): Promise<string> {
  const files = certificateFiles(t);
  const port = await freePort();
  const webhooks = join(await temporaryFolder(t), 'webhooks.json');
  const secrets = [`whsec_${'A'.repeat(32)}`];
  writeFileSync(webhooks, JSON.stringify({ webhooks: [{ id: 'siem', url: 'http://127.0.0.1:1', secrets }] }));
  const { url } = await startTestService(t, {
    ...tlsSettings(files),
    TESSERA_LDAP_URLS: 'ldaps://localhost:1',
    TESSERA_LDAP_USER_BASE: 'dc=example',
    TESSERA_METRICS_PORT: String(port),
    TESSERA_WEBHOOKS: webhooks,
  });
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const asked = request(`${url}/api/login`, { method: 'POST', ca: readFileSync(files.ca) }).end(body);
  const [answer] = await once(asked, 'response');
  assert.equal(answer.statusCode, 200);
  answer.resume();
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

test('each metric of the rules and of the dashboard is one that a running service has', async (t) => {
  const text = await served(t);
  const names = new Set([...text.matchAll(/^([a-z]\w*)/gm)].map(([, name]) => name));
  const asked = new Set(
    [...alerts.map(({ expr }) => expr), ...shown].flatMap(
      (expr) => expr.match(/\b(tessera|process|nodejs)_\w+/g) ?? [],
    ),
  );
  assert.ok(asked.size > 20);
  assert.deepEqual(
    [...asked].filter((name) => !names.has(name)),
    [],
  );
  const now = Date.now() / 1_000;
  const figureOf = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  for (const name of ['tessera_clock_seconds', 'tessera_sweep_timestamp_seconds'])
    assert.ok(Math.abs(figureOf(name) - now) < 600, `${name} ${figureOf(name)}`);
  assert.ok(figureOf('tessera_certificate_end_timestamp_seconds') > now);
  assert.deepEqual([figureOf('tessera_ready'), figureOf('tessera_directory_silent')], [1, 0]);
});

test('each alert says what is wrong, and names its section of the page about alerts', () => {
  const page = readFileSync(join(DEPLOY, '../docs/how-to/alerts.md'), 'utf8');
  const sections = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections.toSorted(), alerts.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations } of alerts) {
    const { summary, description, runbook_url: runbook } = annotations;
    assert.ok(summary && description, alert);
    assert.equal(runbook, `docs/how-to/alerts.md#${alert.toLowerCase()}`);
  }
});

test('the panels of the dashboard have ids of their own, say what they show, and do not overlap', () => {
  const taken = new Set<string>();
  for (const { id, title, description, type, gridPos, targets = [] } of dashboard.panels) {
    assert.ok(!taken.has(`id ${id}`), title);
    taken.add(`id ${id}`);
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(!taken.has(`${x} ${y}`), title);
        taken.add(`${x} ${y}`);
      }
    if (type === 'row') continue;
    assert.ok(description, title);
    assert.ok(targets.length > 0 && targets.every(({ refId, expr }) => refId && expr), title);
  }
});
