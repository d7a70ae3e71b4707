import { isWithin } from '../../core/http/cookie.ts';
import { anyText, headerName, listOf, oneHost, oneOf, userHeaderName } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The settings of the gate, which proxies ask. */
const GATE = {
  gateUriHeader: setting(
    headerName,
    '',
    'Header in which trusted proxies pass the original URI to the gate, for its alf_ticket; empty: not read.',
  ),
  gateAnswers: setting(
    oneOf('204', '200'),
    '204',
    'Status with which the gate lets a request through; Envoy accepts only 200.',
  ),
  gateUserHeader: setting(
    userHeaderName,
    '',
    'Header in which the gate also gives the user name as it is, in UTF-8, such as X-Alfresco-Remote-User; empty: none.',
  ),
  gateDetails: setting(
    listOf(oneOf('groups', 'email', 'name')),
    'groups,email,name',
    'What the gate tells in headers besides the user: groups, email, name. Each is looked up for each request; empty: none.',
  ),
  gateRules: setting(
    anyText,
    '',
    'Document of rules that say who may send which requests to services behind the gate; empty: every user may send all.',
  ),
  handOverHosts: setting(
    listOf(oneHost),
    '',
    'Hosts of other domains whose browsers get a ticket of their own from the sign-in at the portal, such as app.example.net.',
  ),
} satisfies Record<string, Setting<Plain>>;

/** The headers with a URI with which proxies also send method and host. */
const WITH_METHOD_AND_HOST = ['x-forwarded-uri', 'x-original-url', 'x-original-uri'];

const hostnameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

function faultsOfHandOver({ handOverHosts, portalUrl, cookieDomain }: Settings): string[] {
  const variable = variableOf('handOverHosts');
  if (handOverHosts.length > 0 && portalUrl === '')
    return [
      `${variable}: a sign-in is handed over from one host to the others: name it in ${variableOf('portalUrl')}`,
    ];
  return handOverHosts
    .filter((host) => {
      const name = hostnameOf(`https://${host}`);
      return name === hostnameOf(portalUrl) || isWithin(name, cookieDomain);
    })
    .map(
      (host) => `${variable}: a browser has the cookie of the portal at ${host} already: leave this host out`,
    );
}

function faultsOfGate({ gateUriHeader, gateRules, trustedProxies }: Settings): string[] {
  if (gateRules !== '' && !WITH_METHOD_AND_HOST.includes(gateUriHeader))
    return [
      `${variableOf('gateUriHeader')}: the rules in ${variableOf('gateRules')} need a proxy that tells method, host and path of each request: ` +
        'name its header, X-Forwarded-Uri for Traefik and Caddy, X-Original-URL for nginx',
    ];
  if (gateUriHeader === '' || trustedProxies.length > 0) return [];
  return [
    `${variableOf('gateUriHeader')}: the header is read from trusted proxies only, and there is none: name them in ${variableOf('trustedProxies')}`,
  ];
}

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof GATE> {}
}

export const gateSettings: SettingGroup = {
  heading: 'Gate',
  settings: GATE,
  faults: (settings) => [...faultsOfHandOver(settings), ...faultsOfGate(settings)],
};
