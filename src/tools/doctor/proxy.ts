import { BlockList, isIPv6 } from 'node:net';
import { UNIX_PEER } from '../../core/http/client-address.ts';
import type { Settings } from '../../core/settings/table.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  messageOf,
  ok,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

/** An address that no client has (RFC 5737). If the service believes it, each client can claim any address. */
const CLAIMED = '203.0.113.99';
const DEADLINE = 10_000;
/** How far the clock there may differ, in milliseconds; the header tells whole seconds. */
const TOLERANCE = 3_000;

/** How a request arrived, as the service says in its status. */
interface SeenClient {
  readonly address: string;
  readonly origin: string;
  readonly byProxy: boolean;
}

/** Where to ask, and with which key. */
interface AskedService {
  readonly url: URL;
  readonly settings: Settings;
  readonly key: string | undefined;
}

/** Asks the service through the proxy for its status. Throws an error with the reason if nothing comes back. */
async function ask({ url, settings, key }: AskedService, claimed?: string): Promise<Response> {
  const [base = ''] = settings.basePaths;
  const target = new URL(`${url.pathname}${base}/api/admin/status`.replaceAll(/\/{2,}/g, '/'), url);
  const headers = new Headers();
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  if (claimed !== undefined) headers.set('x-forwarded-for', claimed);
  try {
    return await fetch(target, { headers, redirect: 'manual', signal: AbortSignal.timeout(DEADLINE) });
  } catch (error) {
    const { cause } = error as Error;
    throw new Error(`${url.origin} cannot be asked: ${messageOf(cause ?? error)}`);
  }
}

/** Whether the address is one of a trusted proxy. */
function isTrusted(address: string, { trustedProxies }: Settings): boolean {
  if (address === UNIX_PEER) return trustedProxies.includes(UNIX_PEER);
  const list = new BlockList();
  for (const range of trustedProxies) {
    if (range === UNIX_PEER) continue;
    const [start = '', bits] = range.split('/');
    const family = isIPv6(start) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(start, family);
    else list.addSubnet(start, Number(bits), family);
  }
  const bare = address.split('/')[0] as string;
  return list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}

/** Whether the service believes an address that a client claims itself. */
async function claimFinding(service: AskedService, seen: SeenClient): Promise<readonly CheckResult[]> {
  if (isTrusted(seen.address, service.settings))
    return [
      skipped('whether clients can claim an address: run the doctor on a machine that is no trusted proxy'),
    ];
  const response = await ask(service, CLAIMED);
  const { client } = (await response.json()) as { readonly client?: SeenClient };
  if (client?.address !== CLAIMED) return [];
  return [
    fault(
      'a client can claim any address: the X-Forwarded-For that it sends itself is believed',
      'have the first proxy replace that header, and name in TESSERA_TRUSTED_PROXIES your own proxies only',
    ),
  ];
}

function clockFinding(date: string | null): readonly CheckResult[] {
  const ahead = date === null ? 0 : Date.now() - Date.parse(date);
  if (!(Math.abs(ahead) > TOLERANCE)) return [];
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  return [
    warning(
      `the clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the service`,
      'run a time service, such as chrony or systemd-timesyncd, on each machine',
    ),
  ];
}

/** What does not arrive of a request as its client sent it. */
function findingsOf(seen: SeenClient, url: URL, { tlsCert }: Settings): readonly CheckResult[] {
  const findings: CheckResult[] = [];
  const isBehindProxy = url.protocol === 'https:' && tlsCert === '';
  if (isBehindProxy && !seen.byProxy)
    findings.push(
      fault(
        `the proxy that speaks TLS is not trusted, so all its clients are one address to the service (${seen.address})`,
        'name its address in TESSERA_TRUSTED_PROXIES',
      ),
    );
  const arrived = new URL(seen.origin);
  if (arrived.protocol !== url.protocol)
    findings.push(
      fault(
        `the service sees ${arrived.protocol.replace(':', '')} in place of ${url.protocol.replace(':', '')}: its cookies and links are wrong, and browsers cannot sign in`,
        'have the proxy set X-Forwarded-Proto, and name the proxy in TESSERA_TRUSTED_PROXIES',
      ),
    );
  if (arrived.host !== url.host)
    findings.push(
      fault(
        `the service sees the host ${arrived.host} in place of ${url.host}: it refuses forms of its own pages, and its links lead elsewhere`,
        'have the proxy pass Host on, or set X-Forwarded-Host',
      ),
    );
  return findings;
}

/** Why the answer is none of a service that takes the key. */
function refusal(status: number, key: string | undefined, url: URL): CheckResult {
  if (status === 401 && key === undefined)
    return skipped('the service answers: with --api-key-file the doctor sees what arrives of a request');
  if (status === 421)
    return fault(
      `the service does not serve the host that arrives for ${url.host} (421)`,
      'have the proxy pass Host on, and name the host in TESSERA_HOSTS',
    );
  if (status === 401 || status === 403)
    return fault(`the service does not take the API key (${status})`, 'make one with the role operator');
  return fault(
    `the answer of ${url.origin} is ${status}, which is none of the service`,
    'look at the configuration and the log of the proxy',
  );
}

/** The way from clients to the service: whether address, scheme and host of a request arrive. */
export const proxyCheck: DoctorCheck = {
  name: 'proxy',
  page: 'docs/how-to/behind-a-proxy.md',
  async look({ settings, url, key }) {
    if (url === undefined) return [skipped('say with --url where clients reach the service')];
    const service = { url, settings, key };
    const response = await ask(service);
    const clock = clockFinding(response.headers.get('date'));
    if (response.status !== 200) return [...clock, refusal(response.status, key, url)];
    const { client } = (await response.json()) as { readonly client?: SeenClient };
    if (client === undefined)
      return [...clock, fault(`${url.origin} is another program`, 'name the service')];
    const how = client.byProxy ? 'named by a trusted proxy' : 'with no trusted proxy between';
    const arrives = ok(`it sees this machine as ${client.address}, ${how}, at ${client.origin}`);
    return [
      arrives,
      ...clock,
      ...findingsOf(client, url, settings),
      ...(await claimFinding(service, client)),
    ];
  },
};
