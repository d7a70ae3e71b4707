import { isLoopback } from '../../core/settings/combinations.ts';
import { anyText, deadline, repositoryUrl } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The settings of the server that Tessera replaces. */
const SHADOW = {
  shadow: setting(
    repositoryUrl,
    '',
    'Server that is being replaced, such as https://old-server/alfresco. It is asked about unknown users, and those it knows are added.',
  ),
  shadowCa: setting(
    anyText,
    '',
    'File with the certificates (PEM) to check the old server against; empty: those that Node trusts.',
  ),
  shadowDeadline: setting(deadline, 'PT3S', 'How long the old server may take for an answer.'),
} satisfies Record<string, Setting<Plain>>;

function faultsOfShadow({ shadow, shadowCa }: Settings): string[] {
  if (shadow === '') {
    if (shadowCa === '') return [];
    return [
      `${variableOf('shadowCa')}: is of no use alone: name the old server in ${variableOf('shadow')}, or remove it`,
    ];
  }
  const url = new URL(shadow);
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return [];
  return [
    `${variableOf('shadow')}: plain http would carry passwords openly: use https, with the certificates of your own authority in ${variableOf('shadowCa')}`,
  ];
}

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof SHADOW> {}
}

export const shadowSettings: SettingGroup = {
  heading: 'The server that is being replaced',
  settings: SHADOW,
  hardlyEver: ['shadowDeadline'],
  certificates: ['shadowCa'],
  faults: faultsOfShadow,
};
