import { anyText, yesOrNo } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';

/** The settings of provisioning by SCIM. */
export const SCIM = {
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
