import { anyText, duration } from './parsers.ts';
import { type Plain, type Setting, setting } from './setting.ts';

/** The settings of events. */
export const EVENTS = {
  eventsKeep: setting(duration, 'P90D', 'How long events are kept.'),
  webhooks: setting(
    anyText,
    '',
    'Document of the receivers of webhooks, which events are delivered to; empty: none.',
  ),
} satisfies Record<string, Setting<Plain>>;
