import { anyText } from '../../core/settings/parsers.ts';
import { type Plain, type Setting, setting } from '../../core/settings/setting.ts';
import type { SettingGroup, ValuesOf } from '../../core/settings/table.ts';

/** The settings of webhooks. */
const WEBHOOKS = {
  webhooks: setting(anyText, '', 'Document that names the receivers of events by webhooks; empty: none.'),
} satisfies Record<string, Setting<Plain>>;

declare module '../../core/settings/table.ts' {
  interface CapabilitySettings extends ValuesOf<typeof WEBHOOKS> {}
}

export const webhookSettings: SettingGroup = {
  heading: 'Webhooks',
  settings: WEBHOOKS,
  secretDocuments: ['webhooks'],
};
