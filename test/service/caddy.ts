import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startProxy, whyNoProxy } from './proxy.ts';

/** Why no Caddy can be started here; nothing when one can. */
export const whyNoCaddy = (): string | undefined => whyNoProxy('caddy', 'version');

/**
 * Starts a real Caddy with these sites, in one of which it listens on `port`: no admin endpoint, no certificates, and
 * these further global options.
 */
export function startCaddy(t: TestContext, sites: string, port: number, options = ''): Promise<string> {
  return startProxy(t, 'caddy', port, (folder) => {
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n${options}}\n\n${sites}`);
    return ['run', '--adapter', 'caddyfile', '--config', file];
  });
}
