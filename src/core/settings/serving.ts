import {
  addressRange,
  anyText,
  cookieDomain,
  countOrShare,
  deadline,
  delayOrOff,
  duration,
  fileMode,
  host,
  hostOrSocket,
  listOf,
  oneOf,
  portalUrl,
  returnHost,
  servedHost,
  wholeNumber,
  yesOrNo,
} from './parsers.ts';
import { type Plain, type Setting, setting } from './setting.ts';

const port = wholeNumber(0, 65_535, 'port');
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Where the service listens, and whose requests it takes. */
export const ADDRESS = {
  host: setting(
    hostOrSocket,
    '127.0.0.1',
    'Address to listen on; for a name, its first address. Or a Unix socket, such as unix:/run/tessera/http.sock.',
  ),
  port: setting(port, '8080', 'Port to listen on; 0 takes any free one.'),
  socketMode: setting(fileMode, '0660', 'Mode of the Unix socket: who may write to it may connect.'),
  tlsCert: setting(
    anyText,
    '',
    'File with the certificate chain (PEM), the own certificate first. The port then speaks TLS; empty: plain HTTP.',
  ),
  tlsKey: setting(anyText, '', 'File with the private key of that certificate (PEM, without a passphrase).'),
  insecureHttp: setting(
    yesOrNo,
    'false',
    'Whether plain HTTP on addresses other than loopback is intended: the start then prints no warning.',
  ),
  hosts: setting(
    listOf(servedHost),
    '',
    'Hosts that are served; empty: on a loopback address its names and the hosts that trusted proxies pass on, else every host.',
  ),
  trustedProxies: setting(
    listOf(addressRange),
    '',
    'Addresses or ranges of proxies whose X-Forwarded-For and -Host are trusted; unix: for whoever connects by the Unix socket.',
  ),
  workers: setting(
    wholeNumber(1, 64),
    '1',
    'Processes that share the port; more than one for each core are of no use.',
  ),
} satisfies Record<string, Setting<Plain>>;

/** The pages for people, and the cookie with their ticket. */
export const PAGES = {
  portal: setting(yesOrNo, 'true', 'Whether the pages for people are served, below /portal.'),
  docs: setting(yesOrNo, 'false', 'Whether the documents are served to everybody, at /docs.'),
  portalUrl: setting(
    portalUrl,
    '',
    'Where browsers reach the portal, such as https://tickets.example.org, if that is not the host of each protected service.',
  ),
  cookieDomain: setting(
    cookieDomain,
    '',
    'Domain whose hosts share the ticket in a browser, such as example.org, for single sign-on; empty: the host of the portal alone.',
  ),
  returnHosts: setting(
    listOf(returnHost),
    '',
    'Hosts to which the sign-in page leads back besides its own, such as wiki.example.org or *.example.org.',
  ),
} satisfies Record<string, Setting<Plain>>;

/** How large and how slow requests may be, and how the service stops. */
export const LIMITS = {
  bodyLimit: setting(wholeNumber(1_024, 10_485_760), '65536', 'Most bytes of a request body.'),
  requestDeadline: setting(
    deadline,
    'PT10S',
    'How long a client may take to send its header or its whole request, and how long it may read nothing of its answer.',
  ),
  connections: setting(
    wholeNumber(1, 1_000_000),
    '10000',
    'Most connections at a time in each worker; further ones are closed.',
  ),
  connectionsPerAddress: setting(
    countOrShare,
    '25%',
    'How many of them one address may have, as a number or a percentage; an IPv6 /64 is one address, trusted proxies have no limit.',
  ),
  stopDeadline: setting(
    deadline,
    'PT10S',
    'How long requests in flight may take when the service is stopped.',
  ),
  stopDelay: setting(
    delayOrOff,
    'off',
    'How long the service takes connections after SIGTERM, while it says that it is not ready.',
  ),
} satisfies Record<string, Setting<Plain>>;

/** What operators see of the service. */
export const OPERATION = {
  metricsHost: setting(host, '127.0.0.1', 'Address of the metrics port.'),
  metricsPort: setting(port, '9464', 'Port of /metrics and /health; 0: off.'),
  eventsKeep: setting(duration, 'P90D', 'How long events are kept.'),
  audit: setting(
    oneOf('best-effort', 'required'),
    'best-effort',
    'How a login or a log-out ends if its event cannot be written. best-effort: it happens; required: it is answered 503.',
  ),
  logLevel: setting(oneOf(...LEVELS), 'info', 'What is logged: info has a line for each request.'),
} satisfies Record<string, Setting<Plain>>;
