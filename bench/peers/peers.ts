import { existsSync, readFileSync } from 'node:fs';
import type { Options } from '../options.ts';
import type { Machine } from '../report/machine.ts';
import { measuredOn, type Page } from '../report/page.ts';
import type { Bench } from '../rows/row.ts';
import { inCheckout } from '../servers/servers.ts';
import { betterAuth } from './better-auth.ts';
import { type AllFindings, measure } from './measure.ts';
import { oidcProvider } from './oidc-provider.ts';
import { parseServer } from './parse-server.ts';
import { cells, remarks } from './table.ts';
import { tessera } from './tessera.ts';

const PACKAGES = ['better-auth', 'parse-server', 'oidc-provider'];

const folderOf = (name: string) => inCheckout(`bench/node_modules/${name}`);

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(`${folderOf(name)}/package.json`, 'utf8')) as { version: string }).version;
}

/** Why the other services cannot be measured, with what to do about it; undefined where they are installed. */
export function whyNoPeers(): string | undefined {
  if (PACKAGES.every((name) => existsSync(folderOf(name)))) return undefined;
  return "the other services are not installed: run 'npm ci --prefix bench'";
}

/** Measures other services beside Tessera, which is the first of the findings. */
export async function measurePeers(
  bench: Pick<Bench, 'rounds' | 'seconds' | 'folder' | 'say'>,
): Promise<AllFindings> {
  return await measure([tessera, ...betterAuth, parseServer, oidcProvider], bench);
}

/** The table of one run. */
export function peersPage({
  at,
  machine,
  load,
  options,
  findings,
  unmeasured,
}: AllFindings & { at: Date; machine: Machine; load: string; options: Options }): Page {
  const versions = PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return {
    above: [
      measuredOn(at, machine),
      `${options.rounds} rounds of ${options.seconds} s, all services in turn, 64 connections for validations and 16 for logins; load from ${load}, one thread`,
      `${versions}, from npm; each through its own HTTP interface, in one process, with 32 users who logged in. Medians of the rounds; processor time is that of the service's process.`,
    ],
    cells: cells(findings),
    below: [...unmeasured.map(({ name, why }) => `${name}: NOT MEASURED: ${why}`), ...remarks(findings)],
  };
}
