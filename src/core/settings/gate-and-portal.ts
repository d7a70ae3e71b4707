import {
  anyText,
  cookieDomain,
  headerName,
  listOf,
  oneOf,
  portalUrl,
  returnHost,
  userHeaderName,
  yesOrNo,
} from './parsers.ts';
import { type Plain, type Setting, setting } from './setting.ts';

/** The settings of the gate, which proxies ask, and of the pages for people. */
export const GATE_AND_PORTAL = {
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
  portal: setting(yesOrNo, 'true', 'Whether the pages for people are served, below /portal.'),
  portalUrl: setting(
    portalUrl,
    '',
    'Where browsers reach the portal, such as https://tickets.example.org, if that is not the host of each protected service.',
  ),
  providers: setting(
    anyText,
    '',
    'Document of the identity providers where people sign in, and whose access tokens programs present; empty: none.',
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
