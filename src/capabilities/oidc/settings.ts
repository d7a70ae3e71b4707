import { DIRECTORY } from '../../core/domain/external-identity.ts';
import { anyText } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import type { SettingGroup, ValuesOf } from '../../core/settings/table.ts';

const PROVIDERS = {
  providers: setting(
    anyText,
    '',
    'Document of the identity providers where people sign in, and whose access tokens programs present; empty: none.',
  ),
} satisfies Record<string, Setting<Plain>>;

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof PROVIDERS> {}
}

export const providerSettings: SettingGroup = {
  heading: 'Identity providers',
  settings: PROVIDERS,
  secretDocuments: ['providers'],
  // Their document is not read here.
  provides: (provider, { providers }) => provider !== DIRECTORY && providers !== '',
};
