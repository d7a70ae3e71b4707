import { DIRECTORY } from '../../core/domain/external-identity.ts';
import { anyText, yesOrNo } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import { type SettingGroup, type Settings, type ValuesOf, variableOf } from '../../core/settings/table.ts';

/** The settings of provisioning by SCIM. */
const SCIM = {
  scim: setting(
    yesOrNo,
    'false',
    'Whether an identity provider may provision users and groups by SCIM 2.0, below /scim/v2.',
  ),
  scimProvider: setting(
    anyText,
    '',
    'The provider that provisioned users belong to: ldap, or an id of TESSERA_PROVIDERS; their externalId is their subject there. Empty: they have passwords here.',
  ),
} satisfies Record<string, Setting<Plain>>;

function faultsOfScim({ scim, scimProvider }: Settings, isSetUp: (provider: string) => boolean): string[] {
  if (scimProvider === '') return [];
  if (!scim)
    return [
      `${variableOf('scimProvider')}: is of no use alone: set ${variableOf('scim')}=true, or remove it`,
    ];
  if (isSetUp(scimProvider)) return [];
  const needed = scimProvider === DIRECTORY ? 'TESSERA_LDAP_URLS' : 'TESSERA_PROVIDERS';
  return [
    `${variableOf('scimProvider')}: the provider "${scimProvider}" is not set up: set ${needed}, or remove the provider here`,
  ];
}

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof SCIM> {}
}

export const scimSettings: SettingGroup = {
  heading: 'SCIM',
  settings: SCIM,
  faults: faultsOfScim,
};
