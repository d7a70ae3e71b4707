import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { DEPLOY } from '../files.ts';

export const CHART = join(DEPLOY, 'helm/tessera');

/** Values of a chart. */
export type Values = Readonly<Record<string, unknown>>;

export const chartFile = <T>(name: string) =>
  parse(readFileSync(join(CHART, name), 'utf8'), { strict: true }) as T;

const SPRIG = '/usr/share/gocode/src/github.com/Masterminds/sprig';

/** Why charts cannot be rendered here; nothing when they can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoRenderer(): string | undefined {
  const found = spawnSync('test', ['-x', '/usr/bin/go', '-a', '-d', SPRIG]).status === 0;
  if (found) return undefined;
  const told = 'no Go with Sprig (Debian: apt-get install golang-go golang-github-masterminds-sprig-dev)';
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(told);
  return told;
}

/** The folder of the program that renders, once it is compiled. */
let folder: string | undefined;
after(() => folder !== undefined && rmSync(folder, { recursive: true }));

function compiled(): string {
  if (folder !== undefined) return join(folder, 'render');
  folder = mkdtempSync(join(tmpdir(), 'tessera-chart-'));
  const program = join(folder, 'render');
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
  };
  const source = fileURLToPath(new URL('render.go', import.meta.url));
  execFileSync('go', ['build', '-o', program, source], { env, stdio: 'pipe' });
  return program;
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts values over others as Helm does: maps are merged, all else is replaced, and null takes a member away. */
export function merged(under: Values, over: Values): Values {
  const result: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = result[name];
    if (value === null) delete result[name];
    else result[name] = isMap(value) && isMap(below) ? merged(below, value) : value;
  }
  return result;
}

/** Everything that a release of the chart makes with these values over its own, by kind. Throws if a template fails. */
export function rendered(values: Values = {}): Record<string, Record<string, unknown>> {
  const { name, version, appVersion } = chartFile<Record<string, string>>('Chart.yaml');
  const data = {
    Values: merged(chartFile<Values>('values.yaml'), values),
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'tessera', Namespace: 'default', Service: 'Helm' },
  };
  const ended = spawnSync(compiled(), { input: JSON.stringify({ folder: CHART, data }), encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(ended.stderr);
  const texts = JSON.parse(ended.stdout) as Record<string, string>;
  const found: Record<string, Record<string, unknown>> = {};
  for (const [file, text] of Object.entries(texts)) {
    if (!file.endsWith('.yaml')) continue;
    for (const document of parseAllDocuments(text, { strict: true, uniqueKeys: true })) {
      const [fault] = [...document.errors, ...document.warnings];
      if (fault !== undefined) throw new Error(`${file}: ${fault.message}\n${text}`);
      const shown = document.toJS() as Record<string, unknown> | null;
      if (shown !== null) found[String(shown.kind)] = shown;
    }
  }
  return found;
}
