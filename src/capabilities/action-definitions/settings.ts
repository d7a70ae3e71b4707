import { isLoopback } from '../../core/settings/combinations.ts';
import { openPasswords } from '../../core/settings/dangerous-settings.ts';
import { anyText, deadline, oneOf, repositoryUrl, yesOrNo } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, secret, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The settings of action definitions and of nodes. */
const DEFINITIONS = {
  definitions: setting(
    anyText,
    '',
    'File or folder of action definitions that add to the built-in ones or replace them; hidden files are ignored.',
  ),
  definitionsGeneration: setting(
    oneOf('3.2', 'current'),
    '3.2',
    'The built-in action definitions: of release 3.2, or of today.',
  ),
  model: setting(
    anyText,
    '',
    'File or folder of node types that add to the built-in ones or replace them; hidden files are ignored.',
  ),
  nodes: setting(
    repositoryUrl,
    '',
    'Content repository to ask for nodes and for the values of constraints, such as https://host/alfresco; empty: the store keeps the nodes.',
  ),
  nodesUser: setting(
    anyText,
    '',
    'The account for those requests. Every user here can learn what it may see: give it few rights.',
  ),
  nodesPassword: secret(anyText, 'The password of that account.'),
  nodesDeadline: setting(deadline, 'PT3S', 'How long the content repository may take for an answer.'),
  nodesPlainHttp: setting(
    yesOrNo,
    'false',
    'Whether plain HTTP to a content repository on another machine is allowed.',
  ),
} satisfies Record<string, Setting<Plain>>;

function faultsOfNodes({ nodes, nodesUser, nodesPassword, nodesPlainHttp }: Settings): string[] {
  if (nodes === '') return [];
  const faults: string[] = [];
  const url = new URL(nodes);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !nodesPlainHttp) {
    faults.push(
      `${variableOf('nodes')}: plain http would carry the account's password openly: use https, or set ${variableOf('nodesPlainHttp')}=true`,
    );
  }
  if (nodesUser === '')
    faults.push(`${variableOf('nodesUser')}: name the account that asks the content repository`);
  if (nodesPassword === undefined)
    faults.push(`${variableOf('nodesPassword')}_FILE: name the file with that account's password`);
  return faults;
}

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof DEFINITIONS> {}
}

export const definitionSettings: SettingGroup = {
  heading: 'Action definitions and nodes',
  settings: DEFINITIONS,
  hardlyEver: ['nodesDeadline', 'nodesPlainHttp'],
  faults: faultsOfNodes,
  dangers: ({ nodesPlainHttp }) => (nodesPlainHttp ? [openPasswords('nodesPlainHttp')] : []),
};
