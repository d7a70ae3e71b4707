import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/service/free-port.ts';
import { whyNoNginx } from '../../test/service/nginx.ts';
import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validations } from '../load/request-files.ts';
import { zipf } from '../seeding/draws.ts';
import { start } from '../servers/processes.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
/** How often to look whether nginx listens, and how often at most. */
const [EVERY, MOST] = [20, 500];

const configuration = (
  folder: string,
  ports: readonly [number, number],
  upstreams: readonly [string, string],
) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; master_process off; pid '${join(folder, 'nginx.pid')}'; error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path '${join(folder, kind)}';`).join(' ')}
  ${upstreams.map((to, at) => `upstream u${at} { server ${to}; keepalive ${CONNECTIONS}; }`).join('\n  ')}
  ${ports
    .map(
      (port, at) => `server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://u${at}; proxy_http_version 1.1; proxy_set_header Connection ''; }
  }`,
    )
    .join('\n  ')}
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

async function measure(bench: Bench): Promise<Line[]> {
  const path = join(bench.folder, 'http.sock');
  const trusted = { TESSERA_LOG_LEVEL: 'warn', TESSERA_HOSTS: '127.0.0.1' };
  await using byPort = await startTessera(await bench.dataFolder(), trusted);
  await using bySocket = await startTessera(await bench.dataFolder(), {
    ...trusted,
    TESSERA_HOST: `unix:${path}`,
  });
  const ports = [await freePort(), await freePort()] as const;
  const upstreams = [new URL(byPort.url).host, `unix:${path}`] as const;
  const file = join(bench.folder, 'nginx.conf');
  writeFileSync(file, configuration(bench.folder, ports, upstreams));
  await using _nginx = start('nginx', ['-p', bench.folder, '-c', file, '-e', 'stderr'], { quiet: true });
  for (const port of ports) await listens(port);
  const side =
    (port: number, { pid }: Server) =>
    (round: number, seconds: number) => {
      const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
      const server = { url: `http://127.0.0.1:${port}`, pid, [Symbol.asyncDispose]: async () => undefined };
      return load(server, { requests, connections: CONNECTIONS, seconds });
    };
  const name = 'validate through nginx by a Unix socket against by a port, drawn by Zipf from 10,000';
  return [await compared(bench, { name }, side(ports[1], bySocket), side(ports[0], byPort))];
}

/** Compares validations through nginx: it reaches the service by a Unix socket, and by a port of the loopback. */
export const proxied: Row = {
  name: 'proxied',
  async measure(bench) {
    const why = whyNoNginx();
    if (why !== undefined) throw new Error(why);
    return measure(bench);
  },
};
