import { join } from 'node:path';
import { freePort } from '../../test/service/free-port.ts';
import { whyNoNginx } from '../../test/service/nginx.ts';
import { compared } from '../load/compared.ts';
import { load } from '../load/load.ts';
import { validations } from '../load/request-files.ts';
import { zipf } from '../seeding/draws.ts';
import { startNginx } from '../servers/nginx.ts';
import { type Server, startTessera } from '../servers/servers.ts';
import type { Bench, Line, Row } from './row.ts';

const CONNECTIONS = 64;
const WORKING_SET = 10_000;
/** An http block with a server on each of two ports, which passes everything on to the upstream beside it. */
const configuration = (ports: readonly [number, number], upstreams: readonly [string, string]) => `
  ${upstreams.map((to, at) => `upstream u${at} { server ${to}; keepalive ${CONNECTIONS}; }`).join('\n  ')}
  ${ports
    .map(
      (port, at) => `server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://u${at}; proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Host $http_host; }
  }`,
    )
    .join('\n  ')}`;

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
  await using _nginx = await startNginx(bench.folder, configuration(ports, upstreams), ports);
  const side =
    (port: number, { pid }: Server) =>
    (round: number, seconds: number) => {
      const requests = validations(bench, zipf(bench.tickets, WORKING_SET), round);
      const server = { url: `http://127.0.0.1:${port}`, pid };
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
