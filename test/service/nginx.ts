import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startProxy, whyNoProxy } from './proxy.ts';

/** Why no nginx can be started here; nothing when one can. */
export const whyNoNginx = (): string | undefined => whyNoProxy('nginx', '-v');

/** The whole configuration around what a page shows: nothing is written outside of the folder. */
function configuration(folder: string, http: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const root = process.getuid?.() === 0 ? 'user root;' : '';
  return `${root}
daemon off;
master_process off;
pid '${join(folder, 'pid')}';
error_log stderr info;
events { worker_connections 1024; }
http {
access_log off;
${kinds.map((kind) => `${kind}_temp_path '${join(folder, kind)}';`).join('\n')}
${http}
}
`;
}

/** Starts a real nginx with `http` inside of its http block, in which it listens on `port`. */
export function startNginx(t: TestContext, http: string, port: number): Promise<string> {
  return startProxy(t, 'nginx', port, (folder) => {
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configuration(folder, http));
    return ['-p', folder, '-c', file, '-e', 'stderr'];
  });
}
