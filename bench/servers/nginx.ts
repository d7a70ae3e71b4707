import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, start } from './processes.ts';

/** How often to look whether nginx listens, in milliseconds, and how often at most. */
const [EVERY, MOST] = [20, 500];

/** The whole configuration: nginx is one process, and writes nothing outside of the folder. */
const configuration = (folder: string, http: string) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; master_process off; pid '${join(folder, 'nginx.pid')}'; error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path '${join(folder, kind)}';`).join(' ')}
  ${http}
}
`;

async function listens(port: number): Promise<void> {
  for (let left = MOST; ; left -= 1) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (left === 0) throw error;
      await pause(EVERY);
    } finally {
      socket.destroy();
    }
  }
}

/** Starts nginx with `http` in its http block, and waits until it listens on these ports of the loopback. */
export async function startNginx(folder: string, http: string, ports: readonly number[]): Promise<Child> {
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, http));
  const nginx = start('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { output: devNull });
  try {
    for (const port of ports) await listens(port);
    return nginx;
  } catch (error) {
    await nginx[Symbol.asyncDispose]();
    throw error;
  }
}
